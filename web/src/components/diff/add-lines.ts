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
    const left = { from: rest.from, to: rest.to - up.length }
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
  return { hunks, end: addEnd(file, hunks.at(-1), known, total) }
}

/** What follows the last hunk. */
function addEnd(
  file: DiffFile,
  last: Hunk | undefined,
  known: ReadonlyMap<number, string>,
  total: number | null,
): Gap | undefined {
  if (!last || file.isCut || isAtEnd(last)) return undefined
  const { before, after } = endOf(last)
  const down = lead(known, { from: after, to: total ?? Infinity }, before - after)
  last.lines = [...last.lines, ...down]
  const from = after + down.length
  return total !== null && from > total ? undefined : { from, to: total }
}

/** Fewer lines than git shows come after its last change. */
function isAtEnd({ lines }: Hunk): boolean {
  const own = lines.filter(({ isExtra }) => !isExtra)
  return own.slice(-contextLines).some(({ sign }) => sign !== ' ') || own.length < contextLines
}

/** The numbers of the line that comes after it. */
function endOf({ before, after, lines }: Hunk): { before: number; after: number } {
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
