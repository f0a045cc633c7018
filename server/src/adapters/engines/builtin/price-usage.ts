import { calcPrice } from '@pydantic/genai-prices'
import type { LanguageModelUsage } from 'ai'
import type { Usage } from '#base/entry.ts'
import type { ChosenModel } from './choose-model.ts'

/** What a model call used and cost. The prices are those of the installed package: it is never asked to fetch newer ones. */
export function priceUsage(chosen: Pick<ChosenModel, 'provider' | 'id'>, usage: LanguageModelUsage): Usage {
  const inputTokens = usage.inputTokens ?? 0
  const outputTokens = usage.outputTokens ?? 0
  return { inputTokens, outputTokens, costUsd: costOf(chosen, usage, inputTokens, outputTokens) }
}

function costOf(
  { provider, id }: Pick<ChosenModel, 'provider' | 'id'>,
  { inputTokenDetails: details }: LanguageModelUsage,
  inputTokens: number,
  outputTokens: number,
): number | null {
  const counts = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_tokens: details.cacheReadTokens ?? 0,
    cache_write_tokens: details.cacheWriteTokens ?? 0,
  }
  try {
    return calcPrice(counts, id, { providerId: provider })?.total_price ?? null
  } catch {
    // Counts that contradict each other, as some servers report them, have no price.
    return null
  }
}
