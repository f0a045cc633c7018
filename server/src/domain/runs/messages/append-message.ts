import { one, type Db } from '#db/pool.ts'
import type { StoredBlob } from '#domain/runs/blobs/record-blobs.ts'
import { recordBlobs } from '#domain/runs/blobs/record-blobs.ts'
import { messageColumns, type Asker, type Message, type MessageEntry } from './message.ts'

export type AppendMessage = {
  organizationId: number
  runId: number
  /** The turn that it begins; null for one that is read before the next step. */
  turn: number | null
  prompt: string
  images?: (StoredBlob & { mediaType: string })[]
  /** Null: nobody of ours. */
  userId: number | null
  /** A USER_MESSAGE with the prompt when left out. */
  entry?: MessageEntry | undefined
  /** Nobody elsewhere when left out. */
  asker?: Asker | undefined
}

/** Adds a message to a run whose row the caller has locked. Numbers are given once, even those of messages taken back. */
export async function appendMessage(
  tx: Db,
  { organizationId, runId, turn, prompt, images = [], userId, entry, asker }: AppendMessage,
): Promise<Message> {
  if (images.length) await recordBlobs(tx, { organizationId, blobs: images })
  return one<Message>(
    tx,
    `with number as (
       update run_heads set revision = revision + 1, updated_at = now(), next_message = 1 + greatest(next_message,
         (select coalesce(max(n), 0) + 1 from messages where organization_id = $1 and run_id = $2))
       where organization_id = $1 and run_id = $2 returning next_message - 1 as n)
     insert into messages (organization_id, run_id, n, turn, body, author_id, images, entry, asker)
     select $1, $2, n, $3, $4, $5, $6, $7, $8 from number returning ${messageColumns}`,
    [organizationId, runId, turn, prompt, userId, imagesJson(images), jsonOf(entry), jsonOf(asker)],
  )
}

const jsonOf = (value: object | undefined) => (value ? JSON.stringify(value) : null)

/** Images as their column holds them. */
export function imagesJson(images: { sha256: string; mediaType: string }[]): string {
  return JSON.stringify(images.map(({ sha256, mediaType }) => ({ sha256, media_type: mediaType })))
}
