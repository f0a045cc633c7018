import type { HostError } from '#adapters/codehosts/code-host.ts'
import { refusedMs } from '#base/hosts/refused-ms.ts'

/** How long to leave a host alone that has refused us: as long as we would anyway, or until it hears us again, a day at most. */
export const pauseOf = ({ pauseMs, error }: { pauseMs: number; error: HostError }): number =>
  Math.max(pauseMs, refusedMs(error.retryInMs))
