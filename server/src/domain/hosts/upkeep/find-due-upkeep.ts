import { looksAreDue } from '#domain/accounts/storage/claim-look.ts'
import { blobsAreDue } from '#domain/runs/blobs/sweep-blobs.ts'
import { deletedOrganizationsAreDue } from '#domain/runs/deleted-organizations/empty-organizations.ts'
import { deletionsAreDue } from '#domain/runs/deletions/empty-deletions.ts'
import { removedReposAreDue } from '#domain/runs/deletions/empty-repos.ts'
import { mergesAreDue } from '#domain/hosts/pulls/sweep-merges.ts'
import { one, type Db } from '#db/pool.ts'

/** What processes keep in order that has to do with the machine they are on. */
export type DueUpkeep = { blobs: boolean; deletions: boolean; deadObjects: boolean; merges: boolean }

/** Which of these chores would find something to do: one statement in place of one for each. */
export function findDueUpkeep(db: Db): Promise<DueUpkeep> {
  return one<DueUpkeep>(
    db,
    `select ${blobsAreDue} as blobs, ${looksAreDue} as "deadObjects", ${mergesAreDue} as merges,
       ${deletionsAreDue} or ${removedReposAreDue} or ${deletedOrganizationsAreDue} as deletions`,
  )
}
