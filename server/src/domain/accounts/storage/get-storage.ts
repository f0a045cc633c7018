import { storageLimits } from '#base/storage-limits.ts'
import { one, rows, type Db } from '#db/pool.ts'
import type { StorageKind } from './storage.ts'

export type StorageUse = Record<StorageKind, number> & { bytes: number }
export type Storage = {
  used: StorageUse
  /** Of the organization, of each of its repositories, and of each of its runs. */
  bytesMax: number
  repoBytesMax: number
  runBytesMax: number
  /** Of what the log of one run may hold. */
  logBytesMax: number
  /** The largest first. */
  repos: { id: number; name: string; bytes: number }[]
}

const taken = `with mirrored as (
    select coalesce(sum(s.git), 0)::bigint as bytes from storage s join repos r on r.organization_id = s.organization_id and r.id = s.id
    where s.organization_id = $1 and s.scope = 'repo' and r.host <> 'local' and r.removed_at is null)
  select greatest(0, s.git - m.bytes) as git, least(s.git, m.bytes) as mirrors, s.artifacts, s.checkpoints, s.images, s.logs, s.snapshots, s.bytes
  from storage s, mirrored m where s.organization_id = $1 and s.scope = 'organization' and s.id = $1`

/** What an organization takes up, and how much it may. */
export async function getStorage(db: Db, { organizationId }: { organizationId: number }): Promise<Storage> {
  const used = await rows<StorageUse>(db, taken, [organizationId])
  const most = await one<Pick<Storage, 'bytesMax' | 'repoBytesMax' | 'runBytesMax' | 'logBytesMax'>>(
    db,
    `select storage_limit($1, 'organization') as "bytesMax", storage_limit($1, 'repo') as "repoBytesMax",
       storage_limit($1, 'run') as "runBytesMax", storage_limit($1, 'log') as "logBytesMax"`,
    [organizationId],
  )
  const repos = await rows<{ id: number; name: string; bytes: number }>(
    db,
    `select r.id, r.name, s.bytes from storage s join repos r on r.organization_id = s.organization_id and r.id = s.id
     where s.organization_id = $1 and s.scope = 'repo' and r.removed_at is null and s.bytes > 0
     order by s.bytes desc, r.id limit $2`,
    [organizationId, storageLimits.shownReposMax],
  )
  const nothing = { git: 0, mirrors: 0, artifacts: 0, checkpoints: 0, images: 0, logs: 0, snapshots: 0, bytes: 0 }
  return { used: used[0] ?? nothing, ...most, repos }
}
