import type { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'

const dayMs = 24 * 60 * 60_000

/** How long to leave a host alone that has refused us: as long as we would anyway, or until it hears us again, a day at most. */
export function pauseOf(
  { clock }: Pick<App, 'clock'>,
  { pauseMs, error }: { pauseMs: number; error: HostError },
): number {
  const refusedMs = error.retryAt ? error.retryAt.getTime() - clock.now().getTime() : 0
  return Math.max(pauseMs, Math.min(refusedMs, dayMs))
}
