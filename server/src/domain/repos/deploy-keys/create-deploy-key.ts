import { AppError } from '#base/errors.ts'
import { readPublicKey } from '#base/ssh/read-public-key.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { deployKeyColumns, deployKeysMax, type DeployKey } from './deploy-key.ts'

export type CreateDeployKey = {
  organizationId: number
  repoId: number
  title: string
  /** A line of a `.pub` file. */
  key: string
  canPush: boolean
  userId: number
}

/**
 * Throws `repo_not_found`, `invalid_request` for what is no key that is taken, `conflict` (the key opens a repository of the
 * organization already, there are too many, or the repository is of another host).
 */
export async function createDeployKey(db: Db, request: CreateDeployKey): Promise<DeployKey> {
  const { organizationId, repoId, title, key, canPush, userId } = request
  const repo = await getRepo(db, { organizationId, repoId })
  if (repo.host !== 'local')
    throw new AppError('conflict', {
      message: 'Deploy keys are for repositories on the built-in host. Add a deploy key on the code host instead.',
    })
  const { text, fingerprint } = await readPublicKey(key)
  return inTransaction(db, async (tx) => {
    const { count } = await one<{ count: number }>(
      tx,
      `select (select count(*) from deploy_keys k where k.organization_id = r.organization_id and k.repo_id = r.id) as count
       from repos r where r.organization_id = $1 and r.id = $2 for no key update of r`,
      [organizationId, repoId],
    )
    if (count >= deployKeysMax)
      throw new AppError('conflict', { message: `A repository can have at most ${deployKeysMax} deploy keys.` })
    const made = await maybeOne<DeployKey>(
      tx,
      `insert into deploy_keys (organization_id, repo_id, title, public_key, fingerprint, can_push, created_by)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning ${deployKeyColumns}`,
      [organizationId, repoId, title, text, fingerprint, canPush, userId],
    )
    if (!made)
      throw new AppError('conflict', {
        message: 'This key already opens a repository of this organization. Make another key for each repository.',
      })
    return made
  })
}
