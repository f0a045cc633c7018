import type { Db } from '#db/pool.ts'

/** Takes away what checks have printed so far, in the transaction that says so of them. */
export async function dropLogPieces(
  tx: Db,
  { organizationId, checkIds }: { organizationId: number; checkIds: readonly number[] },
): Promise<void> {
  await tx.query('delete from check_log_pieces where organization_id = $1 and check_id = any($2)', [
    organizationId,
    checkIds,
  ])
}
