/** Chance that comes the same from the same seed. */
export type Random = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  isOneIn(count: number): boolean
  pick<T>(list: readonly T[]): T
  shuffled<T>(list: readonly T[]): T[]
}

/** Mulberry32: 32 bits of state, good enough to choose victims. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let word = state
    word = Math.imul(word ^ (word >>> 15), word | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    isOneIn: (count) => between(1, count) === 1,
    pick: (list) => list[between(0, list.length - 1)]!,
    shuffled: (list) => {
      const rest = [...list]
      return list.map(() => rest.splice(between(0, rest.length - 1), 1)[0]!)
    },
  }
}
