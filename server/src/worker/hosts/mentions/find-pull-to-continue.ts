import type { HostPull } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import { renewPull } from '#domain/hosts/pulls/renew-pull.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { CreateRun } from '#domain/runs/runs/create-run.ts'

type Place = Pick<CreateRun, 'pullId' | 'branch' | 'baseBranch' | 'baseCommit'>

/** What makes a new run go on with a pull request's branch. Throws `conflict`, `branch_not_found`. */
export async function findPullToContinue(app: App, { repo, pull }: { repo: Repo; pull: HostPull }): Promise<Place> {
  const refused = (why: string) => new AppError('conflict', { message: `Pull request #${pull.number} ${why}.` })
  if (pull.state !== 'open') throw refused(pull.merged ? 'is merged' : 'is closed')
  if (pull.head.branch === repo.defaultBranch) throw refused('is of the default branch, to which I may not push')
  const { branches } = await app.hosts.git(repo).mirror(repo)
  const baseCommit = branches.get(pull.base.branch)
  if (baseCommit === undefined || !branches.has(pull.head.branch))
    throw new AppError('branch_not_found', { message: `A branch of pull request #${pull.number} no longer exists.` })
  const { id: pullId } = await renewPull(app.pool, { repo, number: pull.number, forge: app.hosts.forge(repo) })
  return { pullId, branch: pull.head.branch, baseBranch: pull.base.branch, baseCommit }
}
