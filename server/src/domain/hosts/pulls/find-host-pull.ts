import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { pullColumns, pullUrl, type Pull } from './pull.ts'

export type PullPlace = { organizationId: number; repoId: number; number: number }

/** A pull request of the built-in host, by its number in its repository. Throws `pull_not_found`. */
export async function findHostPull(db: Db, { organizationId, repoId, number }: PullPlace): Promise<Pull> {
  const pull = await maybeOne<Pull>(
    db,
    `select ${pullColumns} from pulls where organization_id = $1 and repo_id = $2 and number = $3`,
    [organizationId, repoId, number],
  )
  if (!pull) throw new AppError('pull_not_found')
  return pull
}

/** As any code host shows it. */
export function asHostPull(pull: Pull, publicUrl: string) {
  const { number, title, body, state, draft, merged, headBranch, headCommit, baseBranch } = pull
  return {
    number,
    url: pullUrl(publicUrl, pull),
    title,
    body,
    state,
    draft,
    merged,
    author: null,
    head: { branch: headBranch, commit: headCommit, isFromFork: false },
    base: { branch: baseBranch },
    mergeCommit: merged ? pull.mergeCommit : null,
    createdAt: pull.createdAt,
    updatedAt: pull.updatedAt,
  }
}
