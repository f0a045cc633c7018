import { sharedPolicies, type Policy, type Quotas, type SharedPolicy } from '#base/rate-limits.ts'

/** A sliding log of requests: no more than `limit` in any stretch of `windowMs`. */
export type Window<Of extends Policy = Policy> = { policy: Of; limit: number; windowMs: number }

/** One that several tokens are charged to: `owner` stands in the place of a token's id. */
export type SharedWindow = Window<SharedPolicy> & { owner: number }

/** How a window stands: what is charged to it now, and when the oldest of that leaves it, which makes room for one. */
export type WindowState<Of extends Policy = Policy> = Window<Of> & { used: number; resetsInMs: number | null }

/**
 * A request about to be charged to all of these windows, or to none when the first of the token's guards and is full, or one
 * of the shared ones is.
 */
export type Charge = { credentialId: number; windows: Window[]; isGuarded: boolean; shared: SharedWindow[] }

/** The states are of the windows charged; after a refusal, of the one that refused. */
export type Decision = { isAdmitted: boolean; states: WindowState[] }

/** Times charged to one window, as ages, so that they can go from one clock to another. */
export type KeptWindow = { credentialId: number; policy: Policy; agesMs: number[] }

/** Who sends a request: a token, or a browser that stands for one; its user, and the organization that it works in. */
export type Sender = { credentialId: number; userId?: number; organizationId?: number | null }

/** What a request is charged to: its own policy, which may refuse it, and `logs`, which counts what programs send. */
export function chargeOf(quotas: Quotas, { policy, ...sender }: Sender & { policy: Policy }): Charge {
  const charged: Policy[] = policy === 'logs' || policy === 'session' ? [policy] : [policy, 'logs']
  return {
    credentialId: sender.credentialId,
    windows: charged.flatMap((one) => windowsOf(quotas, one)),
    isGuarded: quotas[policy] !== null,
    shared: sharedWindowsOf(quotas, sender),
  }
}

/** The window of a policy; none where it is off. */
export function windowsOf<Of extends Policy>(quotas: Quotas, policy: Of): Window<Of>[] {
  const quota = quotas[policy]
  return quota ? [{ policy, limit: quota.limit, windowMs: quota.windowSeconds * 1_000 }] : []
}

/** Those of the sender's user and organization, where the operator has set any. */
export function sharedWindowsOf(quotas: Quotas, sender: Sender): SharedWindow[] {
  return sharedPolicies.flatMap((policy) => {
    const owner = ownerOf(policy, sender)
    return owner === null ? [] : windowsOf(quotas, policy).map((window) => ({ ...window, owner }))
  })
}

/** Ids of tokens are positive; those of users and organizations are told from them, and from each other. */
function ownerOf(policy: SharedPolicy, { userId, organizationId }: Sender): number | null {
  if (policy === 'user') return userId === undefined ? null : -2 * userId
  return organizationId === undefined || organizationId === null ? null : -2 * organizationId - 1
}
