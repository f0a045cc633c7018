import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'

export type CorrectGitBytes = {
  organizationId: number
  repoId: number
  /** What lies there. */
  bytes: number
  /** When it is to be looked at again; null: once something has come in. */
  againMs: number | null
}

/** Counts a repository anew as it was found, and for its organization the difference. Refuses nothing. */
export async function correctGitBytes(
  db: Db,
  { organizationId, repoId, bytes, againMs }: CorrectGitBytes,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The organization's row first, as whoever takes bytes does.
    await tx.query(`select from storage where organization_id = $1 and scope = 'organization' and id = $1 for update`, [
      organizationId,
    ])
    const counted = await maybeOne<{ git: number }>(
      tx,
      `select git from storage where organization_id = $1 and scope = 'repo' and id = $2 for update`,
      [organizationId, repoId],
    )
    const delta = bytes - (counted?.git ?? 0)
    for (const [scope, id] of [
      ['organization', organizationId],
      ['repo', repoId],
    ] as const)
      await tx.query(`select count_storage($1, $2, $3, 'git', $4, false)`, [organizationId, scope, id, delta])
    if (againMs === null) return
    await tx.query(
      `update storage set look_at = least(look_at, now() + $3 * interval '1 millisecond')
       where organization_id = $1 and scope = 'repo' and id = $2`,
      [organizationId, repoId, againMs],
    )
  })
}
