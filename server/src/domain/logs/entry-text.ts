import type { Entry } from '#base/entry.ts'
import type { Json, JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import type { Mask } from '#base/masker.ts'

/**
 * An entry as it is stored and sent: masked, in text that PostgreSQL and every reader can hold, and within the size
 * limit. The part that only the database knows (run, number, time) is put in front of it on reading.
 */
export function entryText(entry: Entry, { turn, mask }: { turn: number; mask: Mask }): string {
  const clean = (value: Json): Json => cleanJson(value, mask)
  const body: JsonObject = {
    turn,
    message_type: entry.messageType,
    thought: clean(entry.thought ?? null),
    tool_name: entry.toolName ?? null,
    tool_input: clean(entry.toolInput ?? null),
    tool_output: clean(entry.toolOutput ?? null),
    observation: clean(entry.observation ?? null),
    duration_ms: entry.durationMs == null ? null : Math.round(entry.durationMs),
  }
  let text = JSON.stringify(body)
  // Each round halves the longest text, so this ends; JSON escapes make the bytes of a text hard to tell ahead.
  while (Buffer.byteLength(text) > limits.logEntryBytesMax && cutLongest(body)) text = JSON.stringify(body)
  return text
}

/** Strings are masked and made storable; so are keys. */
export function cleanJson(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return storable(mask(value))
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, mask))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(mask(key)), cleanJson(item, mask)]))
}

/** NUL and lone surrogates, which PostgreSQL cannot hold, are kept in escaped form. */
function storable(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '\\u0000') : text
  if (withoutNul.isWellFormed()) return withoutNul
  return withoutNul.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}

type Place = { length: number; cut: () => void }

function cutLongest(body: JsonObject): boolean {
  let longest: Place = { length: 200, cut: () => {} }
  const look = (holder: { [key: string]: Json } | Json[], key: string | number) => {
    const value = (holder as { [key: string]: Json })[key] as Json
    if (typeof value === 'string' && value.length > longest.length) {
      longest = { length: value.length, cut: () => ((holder as { [key: string]: Json })[key] = cutMiddle(value)) }
    } else if (Array.isArray(value)) value.forEach((_, index) => look(value, index))
    else if (value !== null && typeof value === 'object') for (const name of Object.keys(value)) look(value, name)
  }
  for (const name of Object.keys(body)) look(body, name)
  longest.cut()
  if (longest.length > 200) return true
  // Not one long text but very many values: the structure itself goes.
  for (const field of ['tool_output', 'tool_input', 'observation']) {
    if (body[field] === null || body[field] === undefined || typeof body[field] === 'string') continue
    body[field] = { cut: 'This value was larger than a log entry may be.' }
    return true
  }
  return false
}

function cutMiddle(text: string): string {
  const kept = Math.floor(text.length / 4)
  const [head, tail] = [text.slice(0, kept), text.slice(-kept)]
  return `${head.toWellFormed()}\n[… ${text.length - 2 * kept} characters left out …]\n${tail.toWellFormed()}`
}
