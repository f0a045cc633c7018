import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { isHere } from './list-here.ts'
import type { RunIds } from '#domain/runs/run.ts'

/**
 * Does the work while nobody can claim the run, if it has ended or is held by a worker of another place; else does
 * nothing. Between a look and an act somebody could have sent the run on, and it would lose what it works in.
 */
export async function whileElsewhere(
  db: Db,
  { organizationId, runId, place }: RunIds & { place: string },
  work: () => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const head = await maybeOne<{ here: boolean }>(
      tx,
      `select ${isHere('h', '$3')} as here from run_heads h where organization_id = $1 and run_id = $2 for update of h`,
      [organizationId, runId, place],
    )
    if (!head?.here) await work()
  })
}
