import { parseWholeNumber } from './ids.ts'

/** Which rate limit a request of a token is counted under. `logs` is the shared one: it counts requests of every policy. */
export const tokenPolicies = ['creation', 'setup', 'analysis', 'logs', 'standard'] as const
/** What all tokens and browsers of a user, and all of an organization, send together is counted under these besides. */
export const sharedPolicies = ['user', 'organization'] as const
export type SharedPolicy = (typeof sharedPolicies)[number]
/** Those that a token can list: its own, and those that it shares. */
export const listedPolicies = [...tokenPolicies, ...sharedPolicies] as const
export type ListedPolicy = (typeof listedPolicies)[number]
/** Whatever comes from a browser that has signed in is counted under `session` alone. */
export const requestPolicies = [...tokenPolicies, 'session'] as const
export type RequestPolicy = (typeof requestPolicies)[number]
export const policies = [...requestPolicies, ...sharedPolicies] as const
export type Policy = (typeof policies)[number]

/** In any stretch of `windowSeconds` no more than `limit` requests pass. */
export type Quota = { limit: number; windowSeconds: number }

/** For one token, one user, one organization. Null: not limited. */
export type Quotas = Record<Policy, Quota | null>

const limitMax = 10_000
const windowSecondsMax = 86_400

export const quotasDefault: Quotas = {
  creation: { limit: 10, windowSeconds: 60 },
  setup: { limit: 5, windowSeconds: 60 },
  analysis: { limit: 5, windowSeconds: 60 },
  logs: { limit: 60, windowSeconds: 60 },
  standard: { limit: 60, windowSeconds: 30 },
  session: { limit: 600, windowSeconds: 60 },
  user: null,
  organization: null,
}

export const quotasWanted = `limits such as "standard=60/30,creation=0", which is requests / seconds or 0 for none, of ${policies.join(', ')}, up to ${limitMax}/${windowSecondsMax}`

/** The defaults with the given ones in their place; undefined for what is none, or names a policy twice. */
export function parseQuotas(text: string): Quotas | undefined {
  const options = text.split(',').map((item) => parseQuota(item.trim()))
  const quotas = { ...quotasDefault }
  for (const one of options) {
    if (!one || options.filter((other) => other?.policy === one.policy).length > 1) return undefined
    quotas[one.policy] = one.quota
  }
  return quotas
}

function parseQuota(text: string): { policy: Policy; quota: Quota | null } | undefined {
  const [, name, limitText = '', secondsText] = /^(\w+)=(\d+)(?:\/(\d+))?$/.exec(text) ?? []
  const policy = policies.find((one) => one === name)
  const limit = parseWholeNumber(limitText)
  if (!policy || limit === undefined) return undefined
  if (limit === 0) return { policy, quota: null }
  const windowSeconds = parseWholeNumber(secondsText ?? '')
  if (!windowSeconds || limit > limitMax || windowSeconds > windowSecondsMax) return undefined
  return { policy, quota: { limit, windowSeconds } }
}
