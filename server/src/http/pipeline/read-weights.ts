/** One of the values that a header such as `Accept` names, and how much it is wanted; 0 refuses it. */
export type Weighed = { value: string; weight: number }

/** What a header of weighed values says, in lower case. The weight is NaN where it cannot be read. */
export function readWeights(header: string): Weighed[] {
  return header.split(',').map((text) => {
    const [value = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return { value, weight: weight === '' ? NaN : Number(weight) }
  })
}
