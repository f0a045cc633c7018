import { hasCrlf } from './text-file.ts'

export type Edit = { oldText: string; newText: string; replaceAll: boolean }
export type AppliedEdit = { after: string; count: number; isAdjusted: boolean }

/** Lines that are compared before an edit counts as one that fits nowhere. */
const COMPARISONS_MAX = 1_000_000

/**
 * Replaces `oldText`. First as it stands; then, only where one place fits, by lines that are equal but for spaces at
 * their ends, line ends, curly quotes and one shift of the indentation. Null when there is no such place.
 */
export function applyEdit(before: string, edit: Edit): AppliedEdit | null {
  const count = before.split(edit.oldText).length - 1
  if (count === 1 || (count > 1 && edit.replaceAll)) {
    return { after: before.split(edit.oldText).join(lineEndsLike(before, edit)), count, isAdjusted: false }
  }
  return count > 1 ? null : applyLoosely(before, edit)
}

function lineEndsLike(before: string, { oldText, newText }: Edit): string {
  // A piece within one line tells nothing of the model's line ends; the file's own are kept then.
  const usesOwn = hasCrlf(before) && !oldText.includes('\n') && !newText.includes('\r')
  return usesOwn ? newText.replaceAll('\n', '\r\n') : newText
}

function applyLoosely(before: string, { oldText, newText }: Edit): AppliedEdit | null {
  const lines = before.split('\n')
  const searched = oldText.replace(/\r?\n$/, '').split('\n')
  if (searched.every((line) => line.trim() === '')) return null
  const place = onlyPlace(searched, lines)
  if (!place) return null
  const end = hasCrlf(before) ? '\r' : ''
  const fresh = newText === '' ? [] : newText.replace(/\r?\n$/, '').split('\n')
  const shifted = fresh.map((line) => place.shift.apply(line.replace(/\r$/, '')) + end)
  const after = lines.toSpliced(place.start, searched.length, ...shifted).join('\n')
  return { after, count: 1, isAdjusted: true }
}

/** Where the lines stand, if that is one place, and if it does not take too long to say so. */
function onlyPlace(request: string[], lines: string[]): { start: number; shift: Shift } | null {
  const [plain, words] = [lines.map(normal), request.map(normal)]
  const [bare, bareWords] = [plain.map((line) => line.trim()), words.map((line) => line.trim())]
  let found: { start: number; shift: Shift } | null = null
  let comparisons = 0
  for (let start = 0; start + words.length <= plain.length; start++) {
    let same = 0
    while (same < words.length && bareWords[same] === bare[start + same]) same++
    comparisons += same + 1
    if (comparisons > COMPARISONS_MAX) return null
    const shift = same === words.length ? shiftOf(words, plain.slice(start, start + words.length)) : null
    if (shift && found) return null
    if (shift) found = { start, shift }
  }
  return found
}

type Shift = { apply(line: string): string }

/** By how much all lines that hold text are indented more, or less, than wanted; null when not all by the same. */
function shiftOf(request: string[], found: string[]): Shift | null {
  let added: string | null = null
  let taken: string | null = null
  for (const [index, line] of request.entries()) {
    if (line.trim() === '') continue
    const wantIndent = indentOf(line)
    const haveIndent = indentOf(found[index] ?? '')
    if (haveIndent.endsWith(wantIndent)) {
      const more = haveIndent.slice(0, haveIndent.length - wantIndent.length)
      if ((added ?? more) !== more || taken) return null
      added = more
    } else if (wantIndent.endsWith(haveIndent)) {
      const less = wantIndent.slice(0, wantIndent.length - haveIndent.length)
      if ((taken ?? less) !== less || added) return null
      taken = less
    } else return null
  }
  return { apply: (line) => shiftLine(line, added ?? '', taken ?? '') }
}

function shiftLine(line: string, added: string, taken: string): string {
  if (line.trim() === '') return line
  return taken && line.startsWith(taken) ? line.slice(taken.length) : added + line
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? ''
}

function normal(line: string): string {
  return line
    .trimEnd()
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
}
