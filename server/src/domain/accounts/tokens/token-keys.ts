import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import type { SecretKey } from '#base/secrets/secret-key.ts'
import type { Principal } from './principal.ts'
import { isTokenText } from './token-text.ts'

/** What tells good tokens from others: the pepper of their digests, and those seen good a moment ago. */
export type TokenKeys = {
  pepper: Buffer
  /** Of the operator's own token, which need not look like one of ours. Set by `startInstance`. */
  adminDigest: Buffer | null
  clock: Clock
  /** By a hash of the token; the oldest first. */
  seen: Map<string, { principal: Principal; goodUntil: number }>
}

export function openTokenKeys(secretKey: SecretKey, clock: Clock): TokenKeys {
  return { pepper: secretKey.derive('tokens'), adminDigest: null, clock, seen: new Map() }
}

/** What is stored of a token. Without the pepper it cannot be made, not even of a guessed token. */
export function digestOf(keys: Pick<TokenKeys, 'pepper'>, secret: string): Buffer {
  return createHmac('sha256', keys.pepper).update(secret).digest()
}

/** The digest to look for, or undefined for what cannot be a token. */
export function digestToFind(keys: TokenKeys, secret: string): Buffer | undefined {
  const digest = digestOf(keys, secret)
  const isAdmin = keys.adminDigest !== null && timingSafeEqual(digest, keys.adminDigest)
  return isAdmin || isTokenText(secret) ? digest : undefined
}
