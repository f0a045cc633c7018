import type { Usage } from '#base/entry.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import { priceUsage, type PricedModel } from '#base/models/price-usage.ts'
import type { ModelPrices } from '#base/models/model-config.ts'
import type { LimitInMoney } from '#domain/runs/budgets/limit-in-money.ts'

/** What a call would like to use. */
export type CallWish = {
  model: PricedModel
  /** As people have set them for its provider. */
  prices?: ModelPrices | undefined
  /** What the model will read: roughly, and what it cannot be more than. */
  inputTokens: number
  inputTokensMax: number
  /** What it may write, each answer; null: the call does not say. */
  outputTokens: number | null
  answers: number
  /** What is read may be kept for an hour, which costs more. */
  isKeptAnHour?: boolean
}

export type Allotment =
  | {
      outcome: 'started'
      /** What it may write now, each answer; null: as much as it likes. */
      outputTokens: number | null
      /** What it will use, roughly, and at most. */
      expected: Usage
      most: Usage
    }
  /** Others under way have taken the money, and may leave some. */
  | { outcome: 'wait' }
  | { outcome: 'spent'; by: LimitInMoney }
  | { outcome: 'unpriced' }

/**
 * How much a call may use of what is left. It takes what it cannot cost more than, so that calls made at once never spend
 * the same money. Where that does not fit, it goes alone, with what it will likely read and what is then left to write;
 * so what is spent is more than what may be by one call at most.
 */
export function allotCall(wish: CallWish, limitsInMoney: LimitInMoney[]): Allotment {
  const { outputTokens, inputTokens, inputTokensMax } = wish
  const outputMax = outputTokens ?? modelLimits.modelOutputTokensDefault
  const most = usageOf(wish, { input: inputTokensMax, output: outputMax })
  if (!limitsInMoney.length) return start(wish, { tokens: outputTokens, most })
  if (most.costUsd === null) return { outcome: 'unpriced' }
  const tight = limitsInMoney.filter((limit) => leftOf(limit) < most.costUsd!)
  if (!tight.length) return start(wish, { tokens: outputMax, most })
  if (tight.some(({ underWay }) => underWay > 0)) return { outcome: 'wait' }
  const [tightest] = tight.sort((one, other) => leftOf(one) - leftOf(other))
  const tokens = Math.min(outputMax, affordable(wish, leftOf(tightest!)))
  if (tokens < Math.min(outputMax, modelLimits.modelOutputTokensMin)) return { outcome: 'spent', by: tightest! }
  return start(wish, { tokens, most: usageOf(wish, { input: Math.max(inputTokensMax, inputTokens), output: tokens }) })
}

const leftOf = ({ limitUsd, spentUsd, reservedUsd }: LimitInMoney): number => limitUsd - spentUsd - reservedUsd

function start(wish: CallWish, { tokens, most }: { tokens: number | null; most: Usage }): Allotment {
  const written = Math.min(tokens ?? Infinity, modelLimits.modelOutputTokensExpected)
  const expected = usageOf(wish, { input: wish.inputTokens, output: written })
  return { outcome: 'started', outputTokens: tokens, expected, most }
}

/** What is read for the first time costs more where it is also kept. */
function usageOf(
  { model, prices, answers, isKeptAnHour }: CallWish,
  { input, output }: { input: number; output: number },
): Usage {
  const counts = { inputTokens: input, cacheReadTokens: 0, outputTokens: output * answers }
  const plain = priceUsage(model, { ...counts, cacheWriteTokens: 0 }, prices)
  const hour = { cacheWriteHourTokens: isKeptAnHour ? input : 0 }
  const kept = priceUsage(model, { ...counts, cacheWriteTokens: input, ...hour }, prices)
  return { ...plain, costUsd: plain.costUsd === null ? null : Math.max(plain.costUsd, kept.costUsd ?? 0) }
}

/** How much a model may write, each answer, for so much money, where it reads what is likely. */
function affordable(wish: CallWish, usd: number): number {
  const read = usageOf(wish, { input: wish.inputTokens, output: 0 }).costUsd ?? 0
  const sample = 1_000_000
  const each = ((usageOf(wish, { input: wish.inputTokens, output: sample }).costUsd ?? 0) - read) / sample
  if (usd < read || usd <= 0) return 0
  return each > 0 ? Math.floor((usd - read) / each) : Infinity
}
