import type { Json } from '#base/json.ts'

const SHOWN_CHARACTERS_MAX = 300

/** Where two values differ first, and what each has there. */
export type Difference = { path: string; before: string; now: string }

/** Of texts the first line that differs is shown. Null: they are the same. */
export function findDifference(before: Json | undefined, now: Json | undefined, path = ''): Difference | null {
  if (typeof before === 'string' && typeof now === 'string') return before === now ? null : ofTexts(before, now, path)
  if (!isBranch(before) || !isBranch(now) || Array.isArray(before) !== Array.isArray(now)) {
    return Object.is(before, now) ? null : { path, before: show(before), now: show(now) }
  }
  const [one, other] = [before as Record<string, Json>, now as Record<string, Json>]
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const difference = findDifference(one[key], other[key], path === '' ? key : `${path}.${key}`)
    if (difference) return difference
  }
  return null
}

const isBranch = (value: Json | undefined) => typeof value === 'object' && value !== null

function ofTexts(before: string, now: string, path: string): Difference {
  const [one, other] = [before.split('\n'), now.split('\n')]
  const line = one.findIndex((text, index) => text !== other[index])
  const at = line < 0 ? one.length : line
  const where = one.length > 1 || other.length > 1 ? `${path}, line ${at + 1}` : path
  return { path: where, before: show(one[at]), now: show(other[at]) }
}

function show(value: Json | undefined): string {
  if (value === undefined) return '(nothing)'
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, SHOWN_CHARACTERS_MAX).toWellFormed()
}
