import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether what was shown is the secret, without telling by its time how much of it is. */
export function isSameSecret(shown: string, secret: string): boolean {
  return timingSafeEqual(digestOf(shown), digestOf(secret))
}

/** Of one length, whatever the length of the text. */
const digestOf = (text: string) => createHash('sha256').update(text).digest()
