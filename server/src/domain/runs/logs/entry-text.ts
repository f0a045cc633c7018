import type { Entry } from '#base/entry.ts'
import type { Json } from '#base/json.ts'
import { mapTexts } from '#base/text/map-texts.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { cutEntry, entryJson } from './cut-entry.ts'

/**
 * An entry as it is stored and sent: masked, in text that PostgreSQL and every reader can hold, and within the size
 * limit. The part that only the database knows (run, number, time) is put in front of it on reading.
 */
export function entryText(entry: Entry, { turn, mask }: { turn: number; mask: Mask }): string {
  return entryJson(cutEntry(cleanEntry(entry, mask), { turn }).entry, turn)
}

/** Cleaned again, it stays as it is. */
export function cleanEntry<Given extends Entry>(entry: Given, mask: Mask): Given {
  const { thought = null, toolName = null, toolInput = null, toolOutput = null, observation = null } = entry
  const parts = { thought, toolName, toolInput, toolOutput, observation }
  return { ...entry, ...(cleanJson(parts, mask) as Partial<Given>) }
}

/** Strings are masked and made storable; so are keys. */
export function cleanJson(value: Json, mask: Mask): Json {
  const clean = (text: string) => storable(mask(text))
  return mapTexts(value, { text: clean, name: clean })
}

/** NUL and lone surrogates, which PostgreSQL cannot hold, are kept in escaped form. */
function storable(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '\\u0000') : text
  if (withoutNul.isWellFormed()) return withoutNul
  return withoutNul.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}
