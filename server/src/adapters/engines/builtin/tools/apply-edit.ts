import { isLowSurrogate } from './is-low-surrogate.ts'
import { normalLine, shiftOf, type Shift } from './shift-lines.ts'
import { hasCrlf, type Change } from './text-file.ts'

export type Edit = { oldText: string; newText: string; replaceAll: boolean }
export type AppliedEdit = { after: string; changes: Change[]; count: number; isAdjusted: boolean }

/** Lines that are compared before an edit counts as one that fits nowhere. */
const COMPARISONS_MAX = 1_000_000

/**
 * Replaces `oldText`. First as it stands; then, only where one place fits, by lines that are equal but for spaces at
 * their ends, line ends, curly quotes and one shift of the indentation. Null when there is no such place.
 */
export function applyEdit(before: string, edit: Edit): AppliedEdit | null {
  const places = placesOf(before, edit.oldText)
  if (places.length > 1 && !edit.replaceAll) return null
  const changes = places.map((start) => {
    const end = start + edit.oldText.length
    return { start, end, text: withLineEnds(before, end, edit) }
  })
  const loose = places.length === 0 ? replaceLoosely(before, edit) : null
  if (loose) changes.push(loose)
  if (changes.length === 0) return null
  const narrow = changes.map((change) => narrowed(before, change))
  return { after: applied(before, narrow), changes: narrow, count: changes.length, isAdjusted: loose !== null }
}

function placesOf(before: string, oldText: string): number[] {
  const places: number[] = []
  if (oldText === '') return places
  for (let at = before.indexOf(oldText); at >= 0; at = before.indexOf(oldText, at + oldText.length)) places.push(at)
  return places
}

/** The text with the changes, which are in their order and do not overlap. */
export function applied(before: string, changes: Change[]): string {
  let end = 0
  const pieces = changes.flatMap((change) => {
    const piece = [before.slice(end, change.start), change.text]
    end = change.end
    return piece
  })
  return [...pieces, before.slice(end)].join('')
}

/** Without what a change leaves as it is: those bytes are not written anew. */
export function narrowed(before: string, { start, end, text }: Change): Change {
  let [from, to, first, last] = [start, end, 0, text.length]
  while (from < to && first < last && before[from] === text[first]) [from, first] = [from + 1, first + 1]
  while (to > from && last > first && before[to - 1] === text[last - 1]) [to, last] = [to - 1, last - 1]
  // Never within a surrogate pair.
  if (from > start && isLowSurrogate(before, from)) [from, first] = [from - 1, first - 1]
  if (to < end && isLowSurrogate(before, to)) [to, last] = [to + 1, last + 1]
  return { start: from, end: to, text: text.slice(first, last) }
}

/** A piece within one line tells nothing of the model's line ends; those of the line are kept then. */
function withLineEnds(before: string, end: number, { oldText, newText }: Edit): string {
  if (/\n/.test(oldText) || /\r/.test(newText)) return newText
  const feed = before.indexOf('\n', end)
  const hasReturn = feed < 0 ? hasCrlf(before) : before[feed - 1] === '\r'
  return hasReturn ? newText.replaceAll('\n', '\r\n') : newText
}

function replaceLoosely(before: string, { oldText, newText }: Edit): Change | null {
  const lines = before.split('\n')
  const searched = oldText.replace(/\r?\n$/, '').split('\n')
  if (searched.every((line) => line.trim() === '')) return null
  const place = onlyPlace(searched, lines)
  if (!place) return null
  const found = lines.slice(place.start, place.start + searched.length)
  const returns = found.filter((line) => line.endsWith('\r')).length
  const end = 2 * returns >= found.length && returns > 0 ? '\r' : ''
  const fresh = newText === '' ? [] : newText.replace(/\r?\n$/, '').split('\n')
  const shifted = fresh.map((line) => place.shift.apply(line.replace(/\r$/, '')) + end)
  // Lines that the edit repeats to be found by stay as they are, to their last space.
  const same = (index: number, other: number) =>
    fresh[index]?.replace(/\r$/, '') === searched[other]?.replace(/\r$/, '')
  const most = Math.min(fresh.length, searched.length)
  let head = 0
  while (head < most && same(head, head)) head++
  let tail = 0
  while (tail < most - head && same(fresh.length - 1 - tail, searched.length - 1 - tail)) tail++
  const text = [
    ...found.slice(0, head),
    ...shifted.slice(head, fresh.length - tail),
    ...found.slice(found.length - tail),
  ]
  const start = lines.slice(0, place.start).reduce((sum, line) => sum + line.length + 1, 0)
  const length = found.join('\n').length
  if (text.length > 0) return { start, end: start + length, text: text.join('\n') }
  // With the line feed that ended them.
  return start + length < before.length
    ? { start, end: start + length + 1, text: '' }
    : { start: Math.max(0, start - 1), end: start + length, text: '' }
}

/** Where the lines stand, if that is one place, and if it does not take too long to say so. */
function onlyPlace(request: string[], lines: string[]): { start: number; shift: Shift } | null {
  const [plain, words] = [lines.map(normalLine), request.map(normalLine)]
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
