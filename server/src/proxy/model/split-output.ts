import type { Json, JsonObject } from '#base/json.ts'
import { asObject, isGiven, refused } from './call-parts.ts'
import type { ModelPath } from './find-model-path.ts'

/** How much a call lets the model write. */
export type OutputWish = {
  /** For each answer; null: it does not say. */
  tokens: number | null
  answers: number
  /** The field that says it; null: the path has none. */
  field: string | null
  /** What of it may be thought, of the wire where that must be less than the whole. */
  thinking: JsonObject | null
  /** Whether nothing stands before it. */
  isFirst: boolean
}

/** Of a call: what bounds its answer, and all the rest. Throws `CallRefused` where that says no number. */
export function splitOutput({ wire, path }: ModelPath, body: JsonObject): { wish: OutputWish; rest: JsonObject } {
  const none = { answers: 1, thinking: null, isFirst: false }
  if (wire === 'anthropic') {
    const { max_tokens, thinking, ...rest } = body
    const budget = asObject(thinking)['budget_tokens']
    if (!isGiven(budget)) {
      const kept = thinking === undefined ? rest : { ...rest, thinking }
      return { wish: { ...none, tokens: countOf('max_tokens', max_tokens), field: 'max_tokens' }, rest: kept }
    }
    countOf('budget_tokens', budget)
    const wish = { tokens: countOf('max_tokens', max_tokens), field: 'max_tokens' }
    return { wish: { ...none, ...wish, thinking: asObject(thinking) }, rest }
  }
  if (wire === 'responses') {
    const { max_output_tokens, ...rest } = body
    const field = path === '/responses' ? 'max_output_tokens' : null
    return { wish: { ...none, tokens: countOf('max_output_tokens', max_output_tokens), field }, rest }
  }
  if (wire === 'google') {
    const { maxOutputTokens, ...generation } = asObject(body['generationConfig'])
    const answers = countOf('candidateCount', generation['candidateCount']) ?? 1
    const isFirst = Object.keys(generation).length === 0
    const tokens = countOf('maxOutputTokens', maxOutputTokens)
    const wish = { ...none, answers, tokens, field: 'maxOutputTokens', isFirst }
    const { generationConfig: _, ...rest } = body
    // It stands last, so that what bounds the answer can be written behind it.
    return { wish, rest: { ...rest, generationConfig: generation } }
  }
  const { max_tokens, max_completion_tokens, ...rest } = body
  const answers = countOf('n', body['n']) ?? 1
  const older = countOf('max_tokens', max_tokens)
  const newer = countOf('max_completion_tokens', max_completion_tokens)
  const tokens = older === null || newer === null ? (older ?? newer) : Math.min(older, newer)
  // Servers of one's own may know only the older name.
  return {
    wish: {
      ...none,
      answers,
      tokens,
      field: newer === null && older !== null ? 'max_tokens' : 'max_completion_tokens',
    },
    rest,
  }
}

function countOf(name: string, value: Json | undefined): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw refused(`"${name}" must be a whole number above 0.`)
}

/** Thinking that is shorter than this no provider takes. */
const thinkingMin = 1_024

/** A body without its end, behind which `writeTail` writes how much the model may write. */
export function writeHead({ wire }: Pick<ModelPath, 'wire'>, rest: JsonObject): string {
  return JSON.stringify(rest).slice(0, wire === 'google' ? -2 : -1)
}

/** The end of a body; null tokens: the model writes as much as it likes. */
export function writeTail(
  { wire }: Pick<ModelPath, 'wire'>,
  { field, thinking, isFirst }: OutputWish,
  tokens: number | null,
): string {
  const limit = field === null || tokens === null ? [] : [`"${field}":${tokens}`]
  if (thinking !== null) {
    const budget = Math.min(Number(thinking['budget_tokens']), (tokens ?? Infinity) - 1)
    const thought = budget < thinkingMin ? { type: 'disabled' } : { ...thinking, budget_tokens: budget }
    limit.push(`"thinking":${JSON.stringify(thought)}`)
  }
  const comma = limit.length && !isFirst ? ',' : ''
  return `${comma}${limit.join()}${wire === 'google' ? '}}' : '}'}`
}
