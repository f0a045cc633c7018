import { AppError } from '#base/errors.ts'

/** A time whose form was checked already. One that has the form and is none, such as a leap second, is refused. */
export function readTime(loc: string[], text: string | null | undefined): Date | undefined {
  if (text === undefined || text === null) return undefined
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  const msg = 'must be a time'
  throw new AppError('invalid_request', { message: `${loc.join('.')} ${msg}.`, detail: [{ loc, msg, type: 'format' }] })
}
