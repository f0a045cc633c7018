import type { ListedPolicy } from '#base/rate-limits.ts'
import type { WindowState } from '#domain/accounts/rate-limits/window.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentRateLimit(
  { policy, limit, windowMs, used, resetsInMs }: WindowState<ListedPolicy>,
  now: Date,
): Components['RateLimit'] {
  return {
    policy,
    limit,
    window_seconds: windowMs / 1_000,
    remaining: Math.max(limit - used, 0),
    resets_at: resetsInMs === null ? null : new Date(now.getTime() + resetsInMs).toISOString(),
  }
}
