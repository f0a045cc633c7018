/**
 * Whether a client wants an answer in this content coding, by its `Accept-Encoding`: it names it, or `*`, with a weight above
 * 0, and does not prefer the answer as it is. Without the header, nobody has asked for it.
 */
export function acceptsCoding(header: string | undefined, coding: string): boolean {
  const weights = new Map((header ?? '').split(',').map(readWeight))
  const wanted = weights.get(coding) ?? weights.get('*') ?? 0
  return wanted > 0 && wanted >= (weights.get('identity') ?? 0)
}

/** A weight that cannot be read refuses: the answer as it is suits everybody. */
function readWeight(text: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  const number = Number(weight)
  return [coding, number >= 0 && number <= 1 ? number : 0]
}
