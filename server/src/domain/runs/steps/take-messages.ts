import type { Mask } from '#base/redaction/redactor.ts'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { BlobSink } from '#domain/runs/blobs/store-blob.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { keepLongTexts, type KeptEntry } from '#domain/runs/logs/keep-long-texts.ts'
import { imageColumn, type ImageRef, type MessageEntry } from '#domain/runs/messages/message.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type TakenMessage = { text: string; images: ImageRef[] }

export type TakeMessages = { holder: Holder; mask: Mask; blobs: BlobSink }

/**
 * Takes what people said since the last call, oldest first, and logs each, as a USER_MESSAGE entry or as its own, in the
 * same transaction. Throws `LeaseLost`.
 */
export async function takeMessages(db: Db, { holder, mask, blobs }: TakeMessages): Promise<TakenMessage[]> {
  const { organizationId, runId, turn, leaseId } = holder
  const waiting = await rows<{ n: number; text: string; entry: MessageEntry | null }>(db, waitingMessages, [
    organizationId,
    runId,
  ])
  if (!waiting.length) return []
  const kept = new Map<number, KeptEntry[]>()
  for (const { n, text, entry } of waiting) {
    const entries = [entry ?? { messageType: 'USER_MESSAGE' as const, observation: text }]
    kept.set(n, await keepLongTexts(db, { blobs, mask, holder, at: `message-${n}`, entries }))
  }
  return inTransaction(db, async (tx) => {
    // Sent together; the second is read under the lock of the first.
    const [head, messages] = await Promise.all([
      maybeOne<{ step: number }>(tx, lockToTake, [organizationId, runId, leaseId]),
      rows<{ n: number } & TakenMessage>(tx, messagesToTake, [organizationId, runId, [...kept.keys()]]),
    ])
    if (!head) throw new LeaseLost(runId)
    const entries = messages.flatMap(({ n }) => kept.get(n) ?? [])
    const first = await appendLog(tx, { organizationId, runId, leaseId, lines: logLines(entries, { turn, mask }) })
    if (first === undefined) throw new LeaseLost(runId)
    const taken = messages.map(({ n }) => n)
    await rows(tx, markTaken, [organizationId, runId, turn, head.step, first, taken])
    return messages.map(({ text, images }) => ({ text, images }))
  })
}

const lockToTake = {
  name: 'lock-to-take',
  text: `select next_step as step from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3
         and wanted is distinct from 'cancel' for update`,
}

const messagesToTake = {
  name: 'messages-to-take',
  text: `select n, body as text, ${imageColumn} from messages
       where organization_id = $1 and run_id = $2 and taken_seq is null and n = any($3) order by n`,
}

/** One that begins a later turn of the run, whatever turn the holder believes in, keeps those behind it waiting too. */
const waitingMessages = {
  name: 'waiting-messages',
  text: `select n, body as text, entry from messages m where organization_id = $1 and run_id = $2 and taken_seq is null
    and not exists (select from messages later where later.organization_id = $1 and later.run_id = $2 and later.n <= m.n
      and later.turn > (select turn from run_heads where organization_id = $1 and run_id = $2))
    order by n`,
}

const markTaken = {
  name: 'mark-taken',
  text: `update messages set turn = $3, taken_step = $4, taken_seq = $5 + t.i - 1
       from unnest($6::int[]) with ordinality as t (n, i)
       where messages.organization_id = $1 and messages.run_id = $2 and messages.n = t.n`,
}
