import { calcPrice } from '@pydantic/genai-prices'
import type { Usage } from '#base/entry.ts'
import type { ModelPrices } from './model-config.ts'
import { isNamed, type ProviderName } from './model-providers.ts'

/** The installed package's prices are used as they are: it is never asked to fetch newer ones. */
export const priceTable = 'genai-prices 0.1.8'
/** No answer has more; what a provider counts is its own word. */
const tokensMax = 1_000_000_000

/** What a model says that it has read and written. `inputTokens` takes in what was cached. */
export type TokenCounts = Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens'> & {
  /** Those of `cacheWriteTokens` that are kept for an hour, which costs more. */
  cacheWriteHourTokens?: number
}

/** A model: `id` as its provider knows it, `name` as runs name it (when left out, with the provider before it). */
export type PricedModel = { provider: ProviderName; id: string; name?: string }

const nameOf = ({ provider, id, name = `${provider}/${id}` }: PricedModel): string => name

/** What a model call used and cost, whoever made it. */
export function priceUsage(model: PricedModel, counted: TokenCounts, prices: ModelPrices = []): Usage {
  const counts: TokenCounts = {
    inputTokens: countOf(counted.inputTokens),
    cacheReadTokens: countOf(counted.cacheReadTokens),
    cacheWriteTokens: countOf(counted.cacheWriteTokens),
    outputTokens: countOf(counted.outputTokens),
  }
  const hourTokens = Math.min(countOf(counted.cacheWriteHourTokens ?? 0), counts.cacheWriteTokens)
  const price = ownPriceOf(model, counts, prices) ?? priceOf(model, { ...counts, cacheWriteHourTokens: hourTokens })
  return {
    model: nameOf(model),
    ...counts,
    costUsd: price?.costUsd ?? null,
    // Names are matched loosely, so the one that was found stands beside the cost.
    priceSource: price?.source ?? null,
  }
}

type Price = { costUsd: number; source: string }

/** The last that fits counts. */
function ownPriceOf(
  model: PricedModel,
  { inputTokens, outputTokens }: TokenCounts,
  prices: ModelPrices,
): Price | undefined {
  const own = prices.findLast((one) => isNamed(one.model, nameOf(model)))
  if (!own) return undefined
  return {
    costUsd: (inputTokens * own.inputUsd + outputTokens * own.outputUsd) / 1e6,
    source: own.source ?? 'RUNWRIGHT_MODEL_PRICES',
  }
}

function priceOf({ provider, id }: PricedModel, counts: TokenCounts): Price | undefined {
  try {
    const found = calcPrice(
      {
        input_tokens: counts.inputTokens,
        output_tokens: counts.outputTokens,
        cache_read_tokens: counts.cacheReadTokens,
        cache_write_tokens: counts.cacheWriteTokens,
        cache_write_1h_tokens: counts.cacheWriteHourTokens ?? 0,
      },
      id,
      { providerId: provider },
    )
    return found ? { costUsd: found.total_price, source: `${priceTable}: ${found.model.id}` } : undefined
  } catch {
    // Counts that contradict each other, as some servers report them, have no price.
    return undefined
  }
}

const countOf = (value: number): number =>
  Number.isFinite(value) && value > 0 ? Math.min(Math.round(value), tokensMax) : 0
