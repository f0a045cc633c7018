import type { Usage } from '#base/entry.ts'

/** What a model call used. A test names only what matters to it. */
export function makeUsage(options: Partial<Usage> = {}): Usage {
  return {
    model: 'anthropic/claude-sonnet-4-5',
    inputTokens: 100,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 10,
    costUsd: null,
    priceSource: null,
    ...options,
  }
}
