import { applied, narrowed } from './apply-edit.ts'
import { explainMiss } from './explain-miss.ts'
import type { Hunk, HunkLine } from './parse-patch.ts'
import { normalLine, shiftOf, type Shift } from './shift-lines.ts'
import type { Change } from './text-file.ts'
import { ToolFailure } from './tool.ts'

/** Lines that are compared before the hunks of a file count as too many: tens of milliseconds. */
const COMPARISONS_MAX = 400_000
/** What it costs to compare how a line is indented, in comparisons. */
const INDENT_COST = 8
const PLACES_SHOWN_MAX = 5

type File = { path: string; text: string }
type Lines = {
  path: string
  /** Without what ends them. */
  bare: string[]
  /** The same as they are compared where spaces and quotes may differ; made when first asked for. */
  loose: string[] | null
  feed: string
  /** Where each begins. */
  starts: number[]
  text: string
  comparisons: number
}
type Place = { line: number; shift: Shift }

const noShift: Shift = { apply: (line) => line }

/**
 * Finds where the hunks of a patch stand, each behind the one before it: as they are, or, where that is nowhere, but for
 * spaces at the ends of lines, curly quotes and one shift of the indentation. Rejects with a `ToolFailure` when one
 * stands nowhere, or when several places are as good.
 */
export function placeHunks(file: File, hunks: readonly Hunk[]): { after: string; changes: Change[] } {
  const lines = readLines(file)
  const changes: Change[] = []
  let from = 0
  for (const hunk of hunks) {
    const anchored = findAnchors(lines, hunk, from)
    const old = hunk.lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)
    const place = old.length > 0 ? findPlace(lines, { hunk, old, from: anchored }) : placeAlone(lines, hunk, anchored)
    changes.push(narrowed(file.text, changeOf(lines, hunk, place)))
    from = place.line + old.length
  }
  return { after: applied(file.text, changes), changes }
}

function readLines({ path, text }: File): Lines {
  // Old Macs end lines by a carriage return alone.
  const feed = text.includes('\r') && !text.includes('\n') ? '\r' : '\n'
  const raw = text.split(feed)
  // What comes behind the last end of a line is no line.
  if (raw.at(-1) === '') raw.pop()
  let start = 0
  const starts = raw.map((line) => {
    const own = start
    start += line.length + feed.length
    return own
  })
  return { path, text, feed, starts, bare: raw.map((line) => line.replace(/\r$/, '')), loose: null, comparisons: 0 }
}

const looseLine = (line: string) => normalLine(line).trim()

function looseLines(lines: Lines): string[] {
  return (lines.loose ??= lines.bare.map(looseLine))
}

function count(lines: Lines, comparisons: number): void {
  lines.comparisons += comparisons
  if (lines.comparisons > COMPARISONS_MAX) {
    throw new ToolFailure(`${lines.path} has too many lines for so long a patch. Change it in smaller parts.`)
  }
}

/** The line behind the anchors. */
function findAnchors(lines: Lines, { anchors }: Hunk, from: number): number {
  return anchors.reduce((line, anchor) => {
    const exact = findLine(lines, { all: lines.bare, sought: anchor, from: line })
    const found = exact ?? findLine(lines, { all: looseLines(lines), sought: looseLine(anchor), from: line })
    if (found !== null) return found + 1
    throw new ToolFailure(`${lines.path} has no line "${anchor.trim()}" from line ${line + 1} on, which "@@" names.`)
  }, from)
}

function findLine(lines: Lines, { all, sought, from }: { all: string[]; sought: string; from: number }): number | null {
  const found = all.indexOf(sought, from)
  count(lines, (found < 0 ? all.length : found + 1) - from)
  return found < 0 ? null : found
}

type Search = { hunk: Hunk; old: string[]; from: number }

function findPlace(lines: Lines, search: Search): Place {
  const { hunk, old, from } = search
  for (const placesOf of [samePlaces, shiftedPlaces]) {
    const found = placesOf(lines, search)
    const [first, ...others] = found
    if (!first) continue
    // Whoever names a line above means the first place below it.
    if (others.length === 0 || hunk.anchors.length > 0) return first
    const numbers = found.slice(0, PLACES_SHOWN_MAX).map(({ line }) => line + 1)
    const more = found.length > PLACES_SHOWN_MAX ? ', …' : ''
    throw new ToolFailure(
      `Lines of ${lines.path} that the patch changes stand in ${found.length} places (lines ${numbers.join(', ')}${more}). Give more lines around them, or name a line above them with "@@".`,
    )
  }
  const below = from > 0 ? ` It was looked for from line ${from + 1} on: parts of a patch come in their order.` : ''
  const missing = { path: lines.path, before: lines.text, oldText: old.join('\n'), newText: textOf(hunk.lines) }
  throw new ToolFailure(explainMiss(missing) + below, { path: lines.path })
}

const textOf = (lines: HunkLine[]) => lines.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [text])).join('\n')

function samePlaces(lines: Lines, { hunk, old, from }: Search): Place[] {
  return matches(lines, { all: lines.bare, sought: old, from, isAtEnd: hunk.isAtEnd }).map((line) => ({
    line,
    shift: noShift,
  }))
}

function shiftedPlaces(lines: Lines, { hunk, old, from }: Search): Place[] {
  const sought = old.map(looseLine)
  const words = old.map(normalLine)
  return matches(lines, { all: looseLines(lines), sought, from, isAtEnd: hunk.isAtEnd }).flatMap((line) => {
    count(lines, old.length * INDENT_COST)
    const shift = shiftOf(words, lines.bare.slice(line, line + old.length).map(normalLine))
    return shift ? [{ line, shift }] : []
  })
}

type SoughtLines = { all: string[]; sought: string[]; from: number; isAtEnd: boolean }

/** Where these lines begin. */
function matches(lines: Lines, { all, sought, from, isAtEnd }: SoughtLines): number[] {
  const last = all.length - sought.length
  const found: number[] = []
  for (let line = isAtEnd ? Math.max(from, last) : from; line <= last; line++) {
    let same = 0
    while (same < sought.length && sought[same] === all[line + same]) same++
    count(lines, same + 1)
    if (same === sought.length) found.push(line)
  }
  return found
}

/** Lines that are only added: behind the line that was named, else at the end. */
function placeAlone({ bare }: Lines, { anchors, isAtEnd }: Hunk, from: number): Place {
  return { line: anchors.length > 0 && !isAtEnd ? from : bare.length, shift: noShift }
}

function changeOf(lines: Lines, hunk: Hunk, { line, shift }: Place): Change {
  const { starts, text, feed } = lines
  const count = hunk.lines.filter(({ kind }) => kind !== 'added').length
  const startOf = (index: number) => starts[index] ?? text.length
  const rawOf = (index: number) => text.slice(startOf(index), startOf(index + 1))
  // A last line without an end says nothing of how lines end; the one above it does.
  const near = Array.from({ length: count + 1 }, (_, index) => rawOf(Math.max(0, line - 1 + index)))
  const lineEnd = near.some((raw) => raw.endsWith('\r\n')) ? '\r\n' : feed
  let own = line
  const pieces = hunk.lines.flatMap(({ kind, text: added }) => {
    if (kind === 'added') return [shift.apply(added) + lineEnd]
    const raw = rawOf(own++)
    return kind === 'kept' ? [raw] : []
  })
  const start = startOf(line)
  const end = startOf(line + count)
  // The last line of a file may have no end; what comes behind it needs one, and the new last line has none then.
  const isOpen = text !== '' && end === text.length && !text.endsWith(feed)
  if (!isOpen) return { start, end, text: pieces.join('') }
  const whole = pieces.map((piece) => (piece.endsWith(feed) ? piece : piece + lineEnd)).join('')
  const inner = whole.slice(0, -lineEnd.length)
  return { start, end, text: count === 0 ? lineEnd + inner : inner }
}
