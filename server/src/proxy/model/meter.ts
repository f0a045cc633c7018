import { modelLimits } from '#base/models/model-limits.ts'
import { TokenBucket } from '#base/concurrency/token-bucket.ts'
import { CallRefused } from './refuse-call.ts'

/** What one sandbox may send, however it sends it. */
export type Meter = {
  held: { bytes: number }
  calls: TokenBucket
  bytes: TokenBucket
  /** What the log says already that it was refused. */
  noted: Set<string>
}

export function openMeter(): Meter {
  return {
    held: { bytes: 0 },
    noted: new Set(),
    calls: new TokenBucket({ perSecond: modelLimits.modelCallsPerSecond, atOnce: modelLimits.modelCallsAtOnce }),
    bytes: new TokenBucket({ perSecond: modelLimits.modelBytesPerSecond, atOnce: modelLimits.modelBytesAtOnce }),
  }
}

/** Throws `CallRefused`. */
export function takeFrom(bucket: TokenBucket, amount: number): void {
  const waitMs = bucket.take(amount)
  if (!waitMs) return
  const seconds = Math.ceil(waitMs / 1_000)
  const message = `This sandbox asks models for more than ${modelLimits.modelCallsPerSecond} answers or with more than ${modelLimits.modelBytesPerSecond / 2 ** 20} MiB a second. Try again in ${seconds} s.`
  throw new CallRefused({ status: 429, code: 'rate_limit_error', message })
}
