import type { Clock } from '#base/clock.ts'
import { AppError } from '#base/errors.ts'
import { readTime } from './read-time.ts'

/** When a token that is made now ends; null: never. Throws `invalid_request` for a time that has gone by. */
export function readExpiry(text: string | null | undefined, clock: Clock): Date | null {
  const loc = ['body', 'expires_at']
  const expiresAt = readTime(loc, text) ?? null
  if (!expiresAt || expiresAt > clock.now()) return expiresAt
  const fault = { loc, msg: 'must be in the future', type: 'value' }
  throw new AppError('invalid_request', { message: `expires_at ${fault.msg}.`, detail: [fault] })
}
