import { setupLimits } from '#base/setup-limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { snapshotColumns, type Snapshot } from './snapshot.ts'

export type ClaimSnapshot = {
  organizationId: number
  repoId: number
  place: string
  key: string
  baseCommit: string
  /** Whoever asks, and makes it where nobody does. */
  maker: string
}

/**
 * The snapshot of this key at this place; where there is none, or whoever made it is lost, or it failed long enough ago,
 * one that is the asker's to make: `isMine`. Any other that is `making` is waited for.
 */
export async function claimSnapshot(db: Db, options: ClaimSnapshot): Promise<Snapshot & { isMine: boolean }> {
  const { organizationId, repoId, place, key, baseCommit, maker } = options
  const at = [organizationId, repoId, place, key]
  return inTransaction(db, async (tx) => {
    // Whoever else asks for it waits here, and then finds what became of it.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 32))', [at.join()])
    await tx.query(
      `delete from snapshots where organization_id = $1 and repo_id = $2 and place = $3 and key = $4
         and (state = 'making' and made_until < now() or state = 'failed' and used_at < now() - make_interval(secs => $5::float8 / 1000))`,
      [...at, setupLimits.failureKeptMs],
    )
    const known = await maybeOne<Snapshot>(
      tx,
      `update snapshots set used_at = case when state = 'failed' then used_at else now() end
       where organization_id = $1 and repo_id = $2 and place = $3 and key = $4 returning ${snapshotColumns}`,
      at,
    )
    if (known) return { ...known, isMine: false }
    const made = await maybeOne<Snapshot>(
      tx,
      `with drawn as (update repos set snapshots_made = snapshots_made + 1 where organization_id = $1 and id = $2 returning snapshots_made)
       insert into snapshots (organization_id, repo_id, n, place, key, base_commit, maker, made_until)
       select $1, $2, snapshots_made, $3, $4, $5, $6, now() + make_interval(secs => $7::float8 / 1000) from drawn
       returning ${snapshotColumns}`,
      [...at, baseCommit, maker, setupLimits.claimMs],
    )
    if (!made) throw new Error(`repository ${repoId} is gone`)
    return { ...made, isMine: true }
  })
}
