import { showHidden } from './show-hidden.ts'

const TEXT_CHARACTERS_MAX = 100_000
const CHARACTERS_MAX = 400_000
const PARTS_MAX = 5_000
const DEPTH_MAX = 30

/** What may still be shown of a step. */
export type Room = { characters: number; parts: number }

export const makeRoom = (): Room => ({ characters: CHARACTERS_MAX, parts: PARTS_MAX })

/** As much of what strangers wrote as a page can show, with nothing in it that hides. */
export function boundValue(value: unknown, room: Room, depth = 0): unknown {
  if (typeof value === 'string') return boundText(value, room)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return '… (nested too deeply to be shown)'
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      if (room.parts-- <= 0) return [...items, `… (${value.length - items.length} more)`]
      items.push(boundValue(item, room, depth + 1))
    }
    return items
  }
  const entries: [string, unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    if (room.parts-- <= 0) break
    entries.push([boundText(key, room), boundValue(item, room, depth + 1)])
  }
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(entries)
}

export function boundText(text: string, room: Room): string {
  const most = Math.max(0, Math.min(TEXT_CHARACTERS_MAX, room.characters))
  room.characters -= Math.min(text.length, most)
  if (text.length <= most) return showHidden(text)
  return `${showHidden(text.slice(0, most))}\n… (${(text.length - most).toLocaleString('en')} more characters)`
}
