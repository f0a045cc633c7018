import type { TokenCounts } from '#base/models/price-usage.ts'

export const noCounts: TokenCounts = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

export function addCounts(one: TokenCounts | null, other: TokenCounts | null): TokenCounts | null {
  if (!one || !other) return one ?? other
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    cacheWriteHourTokens: (one.cacheWriteHourTokens ?? 0) + (other.cacheWriteHourTokens ?? 0),
    outputTokens: one.outputTokens + other.outputTokens,
  }
}
