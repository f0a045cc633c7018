import type { Db } from '#db/pool.ts'

/** What was to begin the next turn waits like any other message: a stop or a pause that comes later holds it too. */
export async function holdNextTurn(
  tx: Db,
  { organizationId, runId, turn }: { organizationId: number; runId: number; turn: number },
): Promise<void> {
  await tx.query('update messages set turn = null where organization_id = $1 and run_id = $2 and turn > $3', [
    organizationId,
    runId,
    turn,
  ])
}
