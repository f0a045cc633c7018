import { AppError } from '#base/errors.ts'

/** Refuses a deletion that was not confirmed by the right words; `message` says which. */
export function unconfirmed(message: string): AppError {
  const detail = [{ loc: ['query', 'confirm'], msg: message, type: 'value_error' }]
  return new AppError('invalid_request', { message, detail })
}
