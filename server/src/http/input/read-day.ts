import { AppError } from '#base/errors.ts'

/** A day whose form was checked already. One that no month has is refused. */
export function readDay(loc: string[], text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  if (!Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text
  const msg = 'must be a day'
  throw new AppError('invalid_request', { message: `${loc.join('.')} ${msg}.`, detail: [{ loc, msg, type: 'format' }] })
}
