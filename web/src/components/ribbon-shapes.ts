import type { Span } from '@runwright/sdk'

/** A piece of the line, in thousandths of its length. */
export type Piece = { kind: Span['kind']; from: number; to: number }
export type RibbonShapes = {
  pieces: Piece[]
  /** Where a moment stands on the line, in thousandths; what lies between turns stands where the next one begins. */
  placeOf: (at: number) => number
  /** The moment that stands there. */
  timeAt: (place: number) => number
  totalMs: number
}

const piecesMax = 300
/** The whole line; a viewBox of that width is stretched to whatever there is. */
export const ribbonWidth = 1_000

/** A run in one line to scale. Time in which nothing was done, between turns, is cut out. */
export function shapeRibbon(
  timeline: Span[],
  { now, piecesPerMilleMin = 0 }: { now: number; piecesPerMilleMin?: number },
): RibbonShapes {
  const spans = timeline
    .map(({ kind, from, to }) => ({ kind, from: Date.parse(from), to: to === null ? now : Date.parse(to) }))
    .filter(({ from, to }) => to >= from)
    .sort((one, other) => one.from - other.from)
  // Stretches of time without a hole, each with how much of others comes before it.
  const stretches: { from: number; to: number; before: number }[] = []
  for (const { from, to } of spans) {
    const last = stretches.at(-1)
    if (last && from - last.to < 1_000) last.to = Math.max(last.to, to)
    else stretches.push({ from, to, before: last ? last.before + last.to - last.from : 0 })
  }
  const end = stretches.at(-1)
  const totalMs = Math.max(1, end ? end.before + end.to - end.from : 0)
  const placeOf = (at: number) => {
    const stretch = stretches.findLast(({ from }) => from <= at) ?? stretches[0]
    if (!stretch) return 0
    const within = Math.min(Math.max(0, at - stretch.from), stretch.to - stretch.from)
    return ((stretch.before + within) / totalMs) * ribbonWidth
  }
  const timeAt = (place: number) => {
    const ms = (place / ribbonWidth) * totalMs
    const stretch = stretches.findLast(({ before }) => before <= ms) ?? stretches[0]
    return stretch ? stretch.from + ms - stretch.before : 0
  }
  const pieces = spans.map(({ kind, from, to }) => ({ kind, from: placeOf(from), to: placeOf(to) }))
  return { pieces: merge(pieces, piecesPerMilleMin), placeOf, timeAt, totalMs }
}

/** Neighbours of a kind become one, and so does whatever is too small to be seen, until there are few enough. */
function merge(pieces: Piece[], smallest: number): Piece[] {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last && last.kind === piece.kind && piece.from - last.to < Math.max(2, smallest))
      last.to = Math.max(last.to, piece.to)
    else if (piece.to - piece.from >= smallest) merged.push({ ...piece })
  }
  return merged.length > piecesMax ? merge(merged, Math.max(1, smallest * 2)) : merged
}
