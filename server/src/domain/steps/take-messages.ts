import type { Mask } from '#base/masker.ts'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { appendLog, logLines } from '#domain/logs/append-log.ts'
import { imageColumn, type ImageRef } from '#domain/messages/message.ts'
import { LeaseLost, type Holder } from './step.ts'

export type TakenMessage = { text: string; images: ImageRef[] }

/**
 * Takes what people said since the last call, oldest first, and logs each as a USER_MESSAGE entry in the same
 * transaction. Throws `LeaseLost`.
 */
export async function takeMessages(db: Db, { holder, mask }: { holder: Holder; mask: Mask }): Promise<TakenMessage[]> {
  const { organizationId, runId, turn, leaseId } = holder
  const waiting = await maybeOne(
    db,
    'select from messages where organization_id = $1 and run_id = $2 and taken_seq is null limit 1',
    [organizationId, runId],
  )
  if (!waiting) return []
  return inTransaction(db, async (tx) => {
    const head = await maybeOne<{ step: number }>(
      tx,
      `select next_step as step from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3
         and wanted is distinct from 'cancel' for update`,
      [organizationId, runId, leaseId],
    )
    if (!head) throw new LeaseLost(runId)
    const messages = await rows<{ n: number } & TakenMessage>(
      tx,
      `select n, body as text, ${imageColumn} from messages where organization_id = $1 and run_id = $2 and taken_seq is null order by n`,
      [organizationId, runId],
    )
    const entries = messages.map(({ text }) => ({ messageType: 'USER_MESSAGE' as const, observation: text }))
    const first = await appendLog(tx, { organizationId, runId, leaseId, lines: logLines(entries, { turn, mask }) })
    if (first === undefined) throw new LeaseLost(runId)
    await tx.query(
      `update messages set turn = $3, taken_step = $4, taken_seq = $5 + t.i - 1
       from unnest($6::int[]) with ordinality as t (n, i)
       where messages.organization_id = $1 and messages.run_id = $2 and messages.n = t.n`,
      [organizationId, runId, turn, head.step, first, messages.map(({ n }) => n)],
    )
    return messages.map(({ text, images }) => ({ text, images }))
  })
}
