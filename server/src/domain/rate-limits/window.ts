import type { Policy, Quotas } from '#base/rate-limits.ts'

/** A sliding log of one token's requests: no more than `limit` in any stretch of `windowMs`. */
export type Window = { policy: Policy; limit: number; windowMs: number }

/** How a window stands: what is charged to it now, and when the oldest of that leaves it, which makes room for one. */
export type WindowState = Window & { used: number; resetsInMs: number | null }

/** A request about to be charged to all of these windows, or to none when the first of them guards and is full. */
export type Charge = { credentialId: number; windows: Window[]; isGuarded: boolean }

/** The states are of the windows charged; after a refusal, of the one that refused. */
export type Decision = { isAdmitted: boolean; states: WindowState[] }

/** Times charged to one window, as ages, so that they can go from one clock to another. */
export type KeptWindow = { credentialId: number; policy: Policy; agesMs: number[] }

/** What a request is charged to: its own policy, which may refuse it, and `logs`, which counts what programs send. */
export function chargeOf(quotas: Quotas, { credentialId, policy }: { credentialId: number; policy: Policy }): Charge {
  const charged: Policy[] = policy === 'logs' || policy === 'session' ? [policy] : [policy, 'logs']
  return { credentialId, windows: charged.flatMap((one) => windowsOf(quotas, one)), isGuarded: quotas[policy] !== null }
}

/** The window of a policy; none where it is off. */
export function windowsOf(quotas: Quotas, policy: Policy): Window[] {
  const quota = quotas[policy]
  return quota ? [{ policy, limit: quota.limit, windowMs: quota.windowSeconds * 1_000 }] : []
}
