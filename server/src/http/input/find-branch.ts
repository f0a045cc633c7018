import { AppError } from '#base/errors.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { askMirror } from './ask-mirror.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'

export type WantedBranch = {
  organizationId: number
  repoId: number | null
  branch: string | null
  pullId: number | null
  baseBranch: string | null
}

/** The branch that a run is to go on with, what it is compared with, and where that is now. */
export type FoundBranch = {
  repoId: number
  branch: string
  pullId: number | null
  baseBranch: string
  baseCommit: string
}

/**
 * Finds the branch that is named, or the one of a pull request. Throws `invalid_request`, `pull_not_found`,
 * `repo_not_found`, `branch_not_found`, `conflict`.
 */
export async function findBranch(app: Pick<HttpApp, 'hosts'>, db: HttpDb, request: WantedBranch): Promise<FoundBranch> {
  const { organizationId, pullId } = request
  if (pullId !== null && request.branch !== null) throw refused('pull_request', 'cannot be given together with branch')
  const pull = pullId === null ? undefined : await getPull(db, { organizationId, pullId })
  if (pull && request.repoId !== null && request.repoId !== pull.repoId)
    throw new AppError('pull_not_found', {
      message: `Pull request ${pullId} does not belong to repository ${request.repoId}.`,
    })
  if (pull && pull.state !== 'open')
    throw new AppError('conflict', { message: `Pull request ${pullId} is ${pull.merged ? 'merged' : 'closed'}.` })
  const repoId = pull?.repoId ?? request.repoId
  const branch = pull?.headBranch ?? request.branch
  if (repoId === null || branch === null) throw refused('branch', 'needs a repo_id')
  const repo = await getRepo(db, { organizationId, repoId })
  if (branch === repo.defaultBranch) throw refused('branch', 'must not be the default branch')
  const { branches } = await askMirror(app, { organizationId, path: repo.path })
  const baseBranch = request.baseBranch ?? pull?.baseBranch ?? repo.defaultBranch
  if (!branches.has(branch)) throw missing(branch, repo.name)
  const baseCommit = branches.get(baseBranch)
  if (baseCommit === undefined) throw missing(baseBranch, repo.name)
  return { repoId, branch, pullId, baseBranch, baseCommit }
}

function missing(branch: string, repository: string): AppError {
  return new AppError('branch_not_found', { message: `There is no branch "${branch}" in ${repository}.` })
}

function refused(field: string, msg: string): AppError {
  const detail = [{ loc: ['body', field], msg, type: 'value' }]
  return new AppError('invalid_request', { message: `body.${field} ${msg}.`, detail })
}
