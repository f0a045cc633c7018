import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import type { SecretKeys } from '#base/secrets/secret-key.ts'
import type { Principal } from './principal.ts'
import { isTokenText } from './token-text.ts'

/** What tells good tokens from others: the peppers of their digests, and those seen good a moment ago. */
export type TokenKeys = {
  /** With which everything is digested that is made now. */
  pepper: Buffer
  /** What was digested with one of these is as good; what was with the previous one is digested anew when it is used. */
  previousPepper: Buffer | null
  nextPepper: Buffer | null
  /** Stands beside the digests of tokens and tells with which key they were made, and nothing of the key. */
  mark: Buffer
  /** Of the operator's own token, which need not look like one of ours. Set by `startInstance`. */
  adminDigest: Buffer | null
  clock: Clock
  /** By a hash of the token; the oldest first. */
  seen: Map<string, { principal: Principal; goodUntil: number }>
}

const markBytes = 4

export function openTokenKeys({ key, previous, next }: SecretKeys, clock: Clock): TokenKeys {
  return {
    pepper: key.derive('tokens'),
    previousPepper: previous?.derive('tokens') ?? null,
    nextPepper: next?.derive('tokens') ?? null,
    mark: createHmac('sha256', key.derive('fingerprint')).update('mark of tokens').digest().subarray(0, markBytes),
    adminDigest: null,
    clock,
    seen: new Map(),
  }
}

/** What is stored of a token. Without the pepper it cannot be made, not even of a guessed token. */
export function digestOf(keys: Pick<TokenKeys, 'pepper'>, secret: string): Buffer {
  return createHmac('sha256', keys.pepper).update(secret).digest()
}

/** As which it may be stored: first that of now. */
export function digestsOf(keys: TokenKeys, secret: string): [Buffer, ...Buffer[]] {
  const others = [keys.previousPepper, keys.nextPepper].filter((pepper) => pepper !== null)
  return [digestOf(keys, secret), ...others.map((pepper) => digestOf({ pepper }, secret))]
}

/** The digests to look for, or undefined for what cannot be a token. */
export function digestsToFind(keys: TokenKeys, secret: string): Buffer[] | undefined {
  const digests = digestsOf(keys, secret)
  const isAdmin = keys.adminDigest !== null && timingSafeEqual(digests[0], keys.adminDigest)
  return isAdmin || isTokenText(secret) ? digests : undefined
}

/** Whether what is stored was digested with the previous pepper, which is about to go. */
export function isStale({ previousPepper: pepper }: TokenKeys, secret: string, digest: Buffer): boolean {
  return pepper !== null && digestOf({ pepper }, secret).equals(digest)
}
