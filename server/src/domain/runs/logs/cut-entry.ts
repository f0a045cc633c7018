import type { Entry } from '#base/entry.ts'
import type { Json, JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'

/** What an entry is too small for. */
export type Whole = { name: string; contentType: string; text: string }

type Cut = {
  turn: number
  /** Where the entry stands in its run; what is cut then names the artifact that holds the whole. */
  at?: string
}

/** A masked entry brought within its size limit: the middle of its longest texts is cut and marked. */
export function cutEntry(entry: Entry, { turn, at }: Cut): { entry: Entry; wholes: Whole[] } {
  if (isWithin(entry, turn)) return { entry, wholes: [] }
  const cut = structuredClone(entry)
  const texts = fields.flatMap((field) => textsOf(cut, field, field))
  const wholes = new Map<Text, Whole>()
  const name = (field: Field, end: string) => {
    const earlier = [...wholes.keys()].filter((text) => text.field === field).length
    return `log-${at}-${words[field]}${earlier ? `-${earlier + 1}` : ''}.${end}`
  }
  // Each round halves the longest text, so this ends; JSON escapes make the bytes of a text hard to tell ahead.
  while (!isWithin(cut, turn)) {
    const longest = texts.reduce((one, other) => (other.kept > one.kept ? other : one), noText)
    if (longest.kept <= keptMin) break
    const whole = wholes.get(longest) ?? {
      name: name(longest.field, 'txt'),
      contentType: 'text/plain',
      text: longest.text,
    }
    wholes.set(longest, whole)
    longest.kept = Math.floor(longest.kept / 2)
    longest.put(cutMiddle(longest.text, longest.kept, at && whole.name))
  }
  // Not one long text but very many values: the structure itself goes.
  for (const field of ['toolOutput', 'toolInput', 'observation'] as const) {
    if (isWithin(cut, turn)) break
    const value = entry[field]
    if (value === null || typeof value !== 'object') continue
    for (const text of wholes.keys()) if (text.field === field) wholes.delete(text)
    const whole = { name: name(field, 'json'), contentType: 'application/json', text: JSON.stringify(value) }
    wholes.set({ ...noText, field }, whole)
    const marker = `This value was larger than a log entry may be${at ? `; the whole is the artifact ${whole.name}` : ''}.`
    cut[field] = { cut: marker }
  }
  return { entry: cut, wholes: at === undefined ? [] : [...wholes.values()] }
}

/** An entry as JSON, in the words of the API. */
export function entryJson(entry: Entry, turn: number): string {
  return JSON.stringify({
    turn,
    message_type: entry.messageType,
    thought: entry.thought ?? null,
    tool_name: entry.toolName ?? null,
    tool_input: entry.toolInput ?? null,
    tool_output: entry.toolOutput ?? null,
    observation: entry.observation ?? null,
    duration_ms: entry.durationMs == null ? null : Math.round(entry.durationMs),
  })
}

/** Whether a file of this name would be taken for the whole of something that an entry shows a part of. */
export const isNameOfWhole = (name: string): boolean =>
  /^log-[a-z0-9-]+-(thought|tool_input|tool_output|observation)(-\d+)?\.(txt|json)$/.test(name)

const fields = ['thought', 'toolInput', 'toolOutput', 'observation'] as const
type Field = (typeof fields)[number]
const words = { thought: 'thought', toolInput: 'tool_input', toolOutput: 'tool_output', observation: 'observation' }

/** Texts are not cut below this: then there are too many of them. */
const keptMin = 200

const isWithin = (entry: Entry, turn: number) => Buffer.byteLength(entryJson(entry, turn)) <= limits.logEntryBytesMax

/** A text in an entry, how much of it is kept at the moment, and its place. */
type Text = { field: Field; text: string; kept: number; put: (text: string) => void }
const noText: Text = { field: 'thought', text: '', kept: 0, put: () => {} }

function textsOf(holder: object, key: string | number, field: Field): Text[] {
  const slots = holder as { [key: string | number]: Json | undefined }
  const value = slots[key]
  if (typeof value === 'string') return [{ field, text: value, kept: value.length, put: (text) => (slots[key] = text) }]
  if (value === null || typeof value !== 'object') return []
  return Object.keys(value as JsonObject).flatMap((name) => textsOf(value as JsonObject, name, field))
}

function cutMiddle(text: string, kept: number, name: string | undefined): string {
  const side = Math.floor(kept / 2)
  const [head, tail] = [text.slice(0, side), text.slice(-side)]
  const where = name ? `; the whole is the artifact ${name}` : ''
  return `${head.toWellFormed()}\n[… ${text.length - 2 * side} characters left out${where} …]\n${tail.toWellFormed()}`
}
