import { linesOf } from '#base/text/lines-of.ts'

/** A window of lines at least this alike is worth showing. */
const LIKENESS_MIN = 0.6
/** Pairs of lines compared before we stop looking; a comparison takes some microseconds. */
const COMPARISONS_MAX = 10_000
const NAMES_MAX = 3_000

export type Miss = { path: string; before: string; oldText: string; newText: string }

/** Why an edit found nothing to replace, and what to do about it. */
export function explainMiss(miss: Miss): string {
  return sayAmbiguous(miss) ?? sayDone(miss) ?? sayNear(miss) ?? sayNearestName(miss)
}

function sayAmbiguous({ path, before, oldText }: Miss): string | null {
  const lines = placesOf(before, oldText)
  if (lines.length < 2) return null
  const named = lines.slice(0, 20).join(', ')
  return `old_text occurs ${lines.length} times in ${path}, at lines ${named}: add lines around it, or set replace_all.`
}

function sayDone({ path, before, newText }: Miss): string | null {
  const [line] = newText.trim() === '' ? [] : placesOf(before, newText)
  return line === undefined
    ? null
    : `old_text is not in ${path}, but new_text is: already done at line ${line}. Read the file there.`
}

function sayNear({ path, before, oldText }: Miss): string | null {
  const lines = linesOf(before)
  const searched = linesOf(oldText)
  if (searched.length > lines.length || searched.length * lines.length > COMPARISONS_MAX) return null
  const wantedPairs = searched.map(letterPairs)
  const linePairs = lines.map(letterPairs)
  let best = { start: -1, likeness: 0 }
  for (let start = 0; start + searched.length <= lines.length; start++) {
    let sum = 0
    for (const [index, pairs] of wantedPairs.entries()) sum += likeness(pairs, linePairs[start + index] ?? new Set())
    if (sum / searched.length > best.likeness) best = { start, likeness: sum / searched.length }
  }
  if (best.likeness < LIKENESS_MIN) return null
  let isMarked = false
  const shown = searched.flatMap((want, index) => {
    const have = lines[best.start + index] ?? ''
    const numbered = `${String(best.start + index + 1).padStart(5)}\t${have}`
    if (isMarked || want === have) return [numbered]
    isMarked = true
    return [`${numbered}   <- differs first here; you gave:`, `    >\t${want}`]
  })
  return `old_text is not in ${path}. The nearest lines are:\n${shown.join('\n')}\nCopy them exactly, without the numbers.`
}

function sayNearestName({ path, before, oldText }: Miss): string {
  const names = new Map<string, number>()
  for (const [index, line] of linesOf(before).entries()) {
    for (const name of namesIn(line)) if (!names.has(name) && names.size < NAMES_MAX) names.set(name, index + 1)
  }
  const missing = [...new Set(namesIn(oldText))].filter((name) => !names.has(name)).sort((a, b) => b.length - a.length)
  const missingName = missing[0] ?? namesIn(oldText).sort((a, b) => b.length - a.length)[0]
  const wantedPairs = letterPairs(missingName ?? '')
  let best = { name: '', line: 0, likeness: 0 }
  for (const [name, line] of missingName === undefined ? [] : names) {
    const alike = likeness(wantedPairs, letterPairs(name))
    if (alike > best.likeness) best = { name, line, likeness: alike }
  }
  const nearest = best.line > 0 ? `; the nearest name is \`${best.name}\` at line ${best.line}` : ''
  return `old_text is not in ${path}${nearest}. Read the file and copy the text exactly.`
}

/** The lines on which the text begins. */
function placesOf(before: string, text: string): number[] {
  const lines: number[] = []
  let line = 1
  let from = 0
  for (let at = before.indexOf(text); at >= 0; at = before.indexOf(text, at + text.length)) {
    for (let index = from; index < at; index++) if (before[index] === '\n') line++
    from = at
    lines.push(line)
  }
  return lines
}

function namesIn(text: string): string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []
}

function letterPairs(text: string): Set<string> {
  const trimmed = ` ${text.trim().slice(0, 300)} `
  const pairs = new Set<string>()
  for (let index = 0; index + 1 < trimmed.length; index++) pairs.add(trimmed.slice(index, index + 2))
  return pairs
}

/** Sørensen–Dice: 1 for the same pairs of letters, 0 for none in common. */
function likeness(one: Set<string>, other: Set<string>): number {
  let common = 0
  for (const pair of one) if (other.has(pair)) common++
  return (2 * common) / (one.size + other.size)
}
