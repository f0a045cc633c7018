import type { Entry } from '#base/entry.ts'
import type { JsonObject } from '#base/json.ts'

/** An image of a message: which blob it is, and what it holds. */
export type ImageRef = { sha256: string; mediaType: string }

/** The log entry that shows a message that is more than what somebody has typed. */
export type MessageEntry = Pick<Entry, 'messageType'> & { observation: JsonObject | string }

/** Who has asked for something on a code host elsewhere, as that host knows them. */
export type Asker = { id: string; login: string }

/** What somebody said to a run. */
export type Message = {
  n: number
  prompt: string
  createdAt: Date
  /** The log entry that shows it; null while the agent has not read it. */
  takenSeq: number | null
}

/** `images` as `ImageRef`s. */
export const imageColumn = `(select coalesce(json_agg(json_build_object('sha256', i->>'sha256', 'mediaType', i->>'media_type')), '[]')
  from json_array_elements(images) i) as images`

export const messageColumns = `n, body as prompt, created_at, taken_seq`
