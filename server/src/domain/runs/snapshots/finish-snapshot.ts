import type { Db } from '#db/pool.ts'
import { takingStorage } from '#domain/accounts/storage/storage.ts'
import type { Snapshot, SnapshotIds, SnapshotProblem } from './snapshot.ts'

export type FinishSnapshot = SnapshotIds & {
  maker: string
  state: Exclude<Snapshot['state'], 'making'>
  bytes?: number
  durationMs?: number
  problem?: SnapshotProblem
}

/** Writes down what became of it; false where it has been taken away meanwhile: then it does not count. Throws `storage_full`. */
export async function finishSnapshot(db: Db, options: FinishSnapshot): Promise<boolean> {
  const { organizationId, repoId, n, maker, state, bytes = null, durationMs = null, problem = null } = options
  const { rowCount } = await takingStorage(() =>
    db.query(
      `update snapshots set state = $5, bytes = $6, duration_ms = round($7::float8), problem = $8, used_at = now(), maker = null, made_until = null
     where organization_id = $1 and repo_id = $2 and n = $3 and maker = $4 and state = 'making'`,
      [organizationId, repoId, n, maker, state, bytes, durationMs, problem && JSON.stringify(problem)],
    ),
  )
  return rowCount === 1
}
