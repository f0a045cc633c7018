import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { renewLabels } from '#domain/runs/renew-labels.ts'
import { repoColumns, type Repo } from './repo.ts'

/** What is undefined stays as it is. */
export type UpdateRepo = {
  organizationId: number
  repoId: number
  description: string | null | undefined
  archived: boolean | undefined
  labels: string[] | undefined
}

/** Throws `repo_not_found`. */
export async function updateRepo(db: Db, wanted: UpdateRepo): Promise<Repo> {
  const { organizationId, repoId, description, archived, labels } = wanted
  return inTransaction(db, async (tx) => {
    const repo = await maybeOne<Repo>(
      tx,
      `update repos set description = case when $3 then $4 else description end, archived = coalesce($5, archived),
         labels = coalesce($6, labels)
       where organization_id = $1 and id = $2 returning ${repoColumns}`,
      [organizationId, repoId, description !== undefined, description ?? null, archived, labels && labelSet(labels)],
    )
    if (!repo) throw new AppError('repo_not_found')
    if (labels) await renewLabels(tx, { organizationId, repoId })
    return repo
  })
}

/** As it is stored: in order, each once. */
export function labelSet(labels: readonly string[]): string[] {
  return [...new Set(labels)].sort()
}
