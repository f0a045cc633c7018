import { readWeights } from './read-weights.ts'

/**
 * Whether a client wants an answer in this content coding, by its `Accept-Encoding`: it names it, or `*`, with a weight above
 * 0, and does not prefer the answer as it is. Without the header nobody has
 * asked for it, and a weight that cannot be read asks for nothing.
 */
export function acceptsCoding(header: string | undefined, coding: string): boolean {
  const weights = new Map(readWeights(header ?? '').map(({ value, weight }) => [value, weight]))
  const request = weights.get(coding) ?? weights.get('*') ?? 0
  return request > 0 && request <= 1 && request >= (weights.get('identity') ?? 0)
}
