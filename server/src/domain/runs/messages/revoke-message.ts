import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockRunHead } from '#domain/runs/run-head.ts'

export type RevokeMessage = { organizationId: number; runId: number; n: number }

/** Takes a message back that nobody has read. Throws `run_not_found`, `message_not_found`, `conflict`. */
export async function revokeMessage(db: Db, { organizationId, runId, n }: RevokeMessage): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Whoever takes messages holds this lock too, so none is taken and taken back at once.
    await lockRunHead(tx, { organizationId, runId })
    const message = await maybeOne<{ takenSeq: number | null; turn: number | null }>(
      tx,
      'select taken_seq, turn from messages where organization_id = $1 and run_id = $2 and n = $3',
      [organizationId, runId, n],
    )
    if (!message) throw new AppError('message_not_found', { message: `Run ${runId} has no message ${n}.` })
    if (message.takenSeq !== null)
      throw new AppError('conflict', { message: `The agent has already read message ${n}.` })
    if (message.turn !== null)
      throw new AppError('conflict', { message: `Message ${n} starts turn ${message.turn} and cannot be withdrawn.` })
    await tx.query('delete from messages where organization_id = $1 and run_id = $2 and n = $3', [
      organizationId,
      runId,
      n,
    ])
    await tx.query(
      'update run_heads set revision = revision + 1, updated_at = now() where organization_id = $1 and run_id = $2',
      [organizationId, runId],
    )
  })
}
