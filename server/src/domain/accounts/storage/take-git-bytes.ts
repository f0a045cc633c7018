import { storageLimits } from '#base/storage-limits.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { isStorageFull, takingStorage } from './storage.ts'

/** `repoId` null: what a run alone works in. `runId` null: people push, or import. */
export type TakeGitBytes = { organizationId: number; repoId: number | null; runId: number | null; bytes: number }

/**
 * Counts what is about to come into a repository of ours, for all who it counts for or for none. Throws `storage_full`. What
 * does not come in after all is given back as the repository is looked at next.
 */
export async function takeGitBytes(db: Db, { organizationId, repoId, runId, bytes }: TakeGitBytes): Promise<void> {
  await takingStorage(() =>
    inTransaction(db, async (tx) => {
      const count = (scope: string, id: number) =>
        tx.query(`select count_storage($1, $2, $3, 'git', $4)`, [organizationId, scope, id, bytes])
      await count('organization', organizationId)
      if (repoId !== null) {
        await count('repo', repoId)
        await tx.query(
          `update storage set look_at = coalesce(look_at, now() + $3 * interval '1 millisecond')
           where organization_id = $1 and scope = 'repo' and id = $2`,
          [organizationId, repoId, storageLimits.lookMs],
        )
      }
      if (runId !== null) await count('run', runId)
    }),
  )
}

/** The same, where a refusal is told in a sentence. */
export async function whyNotTaken(db: Db, request: TakeGitBytes): Promise<string | null> {
  try {
    await takeGitBytes(db, request)
    return null
  } catch (error) {
    if (isStorageFull(error)) return error.message
    throw error
  }
}
