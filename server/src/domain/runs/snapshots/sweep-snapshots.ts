import { rows, type Db } from '#db/pool.ts'
import { snapshotFolderName, type Snapshot } from './snapshot.ts'

/** Names of folders. */
export type WantedSnapshots = { making: Set<string>; ready: Set<string> }

/**
 * Takes away those of a place that have not been used for longest, until the others have room, and what was never finished.
 * Answers what is wanted there.
 */
export async function sweepSnapshots(
  db: Db,
  { place, bytesMax }: { place: string; bytesMax: number },
): Promise<WantedSnapshots> {
  await db.query(
    `delete from snapshots s using (
       select organization_id, repo_id, n, sum(bytes) over (order by used_at desc, n desc) as held
       from snapshots where place = $1 and state = 'ready') r
     where s.organization_id = r.organization_id and s.repo_id = r.repo_id and s.n = r.n and r.held > $2`,
    [place, bytesMax],
  )
  await db.query(`delete from snapshots where place = $1 and state = 'making' and made_until < now()`, [place])
  const snapshots = await rows<Pick<Snapshot, 'organizationId' | 'repoId' | 'n' | 'state'>>(
    db,
    `select organization_id, repo_id, n, state from snapshots where place = $1`,
    [place],
  )
  const named = (state: string) => new Set(snapshots.filter((one) => one.state === state).map(snapshotFolderName))
  return { making: named('making'), ready: named('ready') }
}
