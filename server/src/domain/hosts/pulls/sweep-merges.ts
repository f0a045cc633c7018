import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { landMerge, type LandMerge } from './land-merge.ts'
import type { LandingHosts } from './land-merge.ts'
import { pullColumns } from './pull.ts'

/** Whether somebody began to merge a row of `pulls`, has not finished, and has not done anything for so long. */
const isLeft = (idleMs: number) => `
  merge_intended_at between now() - ${limits.mergeLookedAtMs} * interval '1 millisecond' and now() - ${idleMs} * interval '1 millisecond'
  and not merged and merge_base is not null and merge_commit is not null`

export const mergesAreDue = `exists (select from pulls where ${isLeft(limits.mergeIdleMs)})`

export type SweepMerges = {
  hosts: LandingHosts
  /** Those that somebody may still be at are left to them. */
  idleMs?: number
}

/**
 * Stores that a pull request is merged where its base has moved and whoever moved it died before they could. What has not
 * moved is left as it is: whether it is still wanted nobody knows. `db` must be no transaction.
 */
export async function sweepMerges(db: Db, { hosts, idleMs = limits.mergeIdleMs }: SweepMerges): Promise<void> {
  const left = await rows<LandMerge['pull']>(
    db,
    `select ${pullColumns} from pulls where ${isLeft(idleMs)} order by merge_intended_at limit $1`,
    [limits.mergesSweptMax],
  )
  for (const pull of left)
    await landMerge(db, { pull, repo: await getRepo(db, pull), hosts, expected: pull.mergeCommit })
}
