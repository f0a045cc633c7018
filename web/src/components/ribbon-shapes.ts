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

const piecesShown = 300
/** The whole line; a viewBox of that width is stretched to whatever there is. */
export const ribbonWidth = 1_000

/** A run in one line to scale. Time in which nothing was done, between turns, is cut out. */
export function shapeRibbon(
  timeline: Span[],
  { now, piecesMax = piecesShown }: { now: number; piecesMax?: number },
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
  return { pieces: merge(pieces, piecesMax), placeOf, timeAt, totalMs }
}

/** Neighbours of a kind become one. Where that leaves too many, each stretch of the line shows what most of it was. */
function merge(pieces: Piece[], most: number): Piece[] {
  const joined = join(pieces)
  if (joined.length <= most) return joined
  const width = ribbonWidth / most
  const shares = Array.from({ length: most }, () => new Map<Piece['kind'], number>())
  for (const { kind, from, to } of joined) {
    const last = Math.min(most - 1, Math.floor(to / width))
    for (let n = Math.floor(from / width); n <= last; n++) {
      const share = Math.min(to, (n + 1) * width) - Math.max(from, n * width)
      shares[n]?.set(kind, (shares[n]?.get(kind) ?? 0) + share)
    }
  }
  return join(
    shares.flatMap((share, n) => {
      const [first] = [...share].sort(([, one], [, other]) => other - one)
      return first ? [{ kind: first[0], from: n * width, to: (n + 1) * width }] : []
    }),
  )
}

/** Nearer than this is not told apart. */
const gapMin = 2

function join(pieces: Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (last?.kind === piece.kind && piece.from - last.to < gapMin) last.to = Math.max(last.to, piece.to)
    else joined.push({ ...piece })
  }
  return joined
}
