import type { DiffFile, DiffLine, Gap, Hunk } from '#ui/read-diff.ts'

/** Git shows so many lines after a change, where there are as many. */
const contextLines = 3

/**
 * The hunks of a file with more of the lines around them, by their numbers in the file as it is now. Hunks with nothing left
 * between them become one. `total`: how many lines the file has; null while that is not known.
 */
export function addLines(
  file: DiffFile,
  known: ReadonlyMap<number, string>,
  total: number | null,
): { hunks: Hunk[]; end?: Gap | undefined } {
  const hunks: Hunk[] = []
  for (const hunk of file.hunks) {
    const above = hunks.at(-1)
    const next = above ? endOf(above) : { before: 1, after: 1 }
    const gap = { from: next.after, to: hunk.after - 1 }
    const offset = hunk.before - hunk.after
    const down = above ? lead(known, gap, offset) : []
    above?.lines.push(...down)
    const rest = { from: gap.from + down.length, to: gap.to }
    const up = trail(known, rest, offset)
    const between = islandsIn(known, { from: rest.from, to: rest.to - up.length }, offset)
    const left = { from: between.length ? endOf(between.at(-1)!).after : rest.from, to: rest.to - up.length }
    hunks.push(...between)
    const lines = [...up, ...hunk.lines]
    if (above && left.from > left.to && (down.length || up.length)) above.lines.push(...lines)
    else
      hunks.push({
        ...hunk,
        before: hunk.before - up.length,
        after: hunk.after - up.length,
        lines,
        gap: left.from <= left.to ? left : undefined,
      })
  }
  return { hunks, end: file.isCut ? addAfterCut(hunks, known, total) : addEnd(hunks, known, total) }
}

/** What follows the last hunk. */
function addEnd(hunks: Hunk[], known: ReadonlyMap<number, string>, total: number | null): Gap | undefined {
  const last = hunks.at(-1)
  if (!last || isAtEnd(last)) return undefined
  const { before, after } = endOf(last)
  const down = lead(known, { from: after, to: total ?? Infinity }, before - after)
  last.lines = [...last.lines, ...down]
  const between = islandsIn(known, { from: after + down.length, to: total ?? Infinity }, before - after)
  hunks.push(...between)
  const from = between.length ? endOf(between.at(-1)!).after : after + down.length
  return total !== null && from > total ? undefined : { from, to: total }
}

/** Lines in the middle of a gap, which have others that are left out on both sides. */
function islandsIn(known: ReadonlyMap<number, string>, { from, to }: { from: number; to: number }, offset: number) {
  const numbers = [...known.keys()].filter((n) => n >= from && n <= to).toSorted((a, b) => a - b)
  const islands: Hunk[] = []
  for (const n of numbers) {
    const last = islands.at(-1)
    const next = last ? endOf(last).after : from
    if (last && n === next) last.lines.push(extra(known, n, offset))
    else {
      const gap = { from: next, to: n - 1 }
      islands.push({ title: '', before: n + offset, after: n, lines: [extra(known, n, offset)], gap })
    }
  }
  return islands
}

/** What follows where the diff was cut: nobody knows which of those lines changed, so they have no numbers of before. */
function addAfterCut(hunks: Hunk[], known: ReadonlyMap<number, string>, total: number | null): Gap | undefined {
  const last = hunks.at(-1)
  // A file that is gone has no lines now.
  if (!last || last.after === 0) return undefined
  const { before, after } = endOf(last)
  if (total !== null && after > total) return undefined
  const lines = lead(known, { from: after, to: total ?? Infinity }, 0).map((line) => ({ ...line, before: null }))
  hunks.push({ title: '', before, after, lines, isAfterCut: true })
  const from = after + lines.length
  return total !== null && from > total ? undefined : { from, to: total }
}

/** Fewer lines than git shows come after its last change. */
function isAtEnd({ lines }: Hunk): boolean {
  const own = lines.filter(({ isExtra }) => !isExtra)
  return own.slice(-contextLines).some(({ sign }) => sign !== ' ') || own.length < contextLines
}

/** The numbers of the line that comes after it. */
function endOf({ before, after, lines }: Pick<Hunk, 'before' | 'after' | 'lines'>): { before: number; after: number } {
  return {
    before: before + lines.filter(({ sign }) => sign !== '+').length,
    after: after + lines.filter(({ sign }) => sign !== '-').length,
  }
}

/** What is known from the beginning of a gap on. */
function lead(known: ReadonlyMap<number, string>, { from, to }: { from: number; to: number }, offset: number) {
  const lines: DiffLine[] = []
  for (let n = from; n <= to && known.has(n); n++) lines.push(extra(known, n, offset))
  return lines
}

/** What is known up to the end of a gap. */
function trail(known: ReadonlyMap<number, string>, { from, to }: { from: number; to: number }, offset: number) {
  const lines: DiffLine[] = []
  for (let n = to; n >= from && known.has(n); n--) lines.push(extra(known, n, offset))
  return lines.reverse()
}

const extra = (known: ReadonlyMap<number, string>, n: number, offset: number): DiffLine => ({
  sign: ' ',
  text: known.get(n)!,
  before: n + offset,
  after: n,
  mark: null,
  isExtra: true,
})
