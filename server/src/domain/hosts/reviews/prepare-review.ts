import { AppError } from '#base/errors.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import { limits } from '#base/limits.ts'
import { generateSeal } from '#base/text/mark-foreign.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { comparisonOf, type Pull } from '#domain/hosts/pulls/pull.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { BranchStore, StoredRepository } from '#domain/repos/repos/repository-admin.ts'
import type { CreateRun } from '#domain/runs/runs/create-run.ts'
import type { SourceType } from '#domain/runs/run.ts'
import { commitsAnswerSchema, pullAnswerSchema } from './answer.ts'
import { briefOfCommits, briefOfPull, type PushedCommits } from './brief.ts'

/** What shows what has changed, and who may write there. */
export type ReviewHosts = {
  git(repo: StoredRepository): BranchStore & {
    diff(repo: StoredRepository, compare: { base: string | null; head: string; bytesMax: number }): Promise<string>
  }
  forge(repo: StoredRepository): { permissionOf(repo: StoredRepository, actor: HostActor): Promise<string> }
}

export type PrepareReview = {
  repo: Repo
  hosts: ReviewHosts
  /** Takes out what the repository's runs may see of secrets. */
  mask: Mask
  userId: number
  sourceType: SourceType
  /** The engine that does it: the built-in agent when left out. */
  agentType?: string
  model?: string | null
  traceparent?: string | null
}

/** The run that reviews a pull request, to be made by `createRun`. Throws `conflict`, `branch_not_found`. */
export async function preparePullReview(pull: Pull, options: PrepareReview): Promise<CreateRun> {
  const { repo, hosts, mask } = options
  const { organizationId, baseBranch, headCommit, number } = pull
  if (pull.state !== 'open')
    throw new AppError('conflict', { message: `Pull request ${pull.id} is ${pull.merged ? 'merged' : 'closed'}.` })
  const baseCommit = (await hosts.git(repo).mirror(repo)).branches.get(baseBranch)
  if (baseCommit === undefined)
    throw new AppError('branch_not_found', { message: `There is no branch "${baseBranch}" in ${repo.name}.` })
  const diff = mask(await hosts.git(repo).diff(repo, { ...comparisonOf(pull), bytesMax: limits.reviewDiffBytesMax }))
  const words = { repository: repo.name, seal: generateSeal(), diff }
  const areWordsShown = await areWordsTrusted(pull, options)
  return {
    ...runOf(organizationId, options),
    prompt: `Review pull request ${number} at ${headCommit}.`,
    title: `Review of pull request ${number}`,
    brief: briefOfPull({ ...pull, title: mask(pull.title), body: mask(pull.body) }, { ...words, areWordsShown }),
    branch: `review/${number}`,
    baseBranch,
    baseCommit,
    outputSchema: pullAnswerSchema,
    task: { kind: 'review_pull', pullId: pull.id, headCommit },
  }
}

/** What people say of their work who may not write there is not shown to an agent, which judges the work alone. */
async function areWordsTrusted({ url, runId, author }: Pull, { repo, hosts }: PrepareReview): Promise<boolean> {
  // On the built-in host members open them, and runs.
  if (url === null || runId !== null) return true
  const permission = author && !author.isBot ? await hosts.forge(repo).permissionOf(repo, author) : 'none'
  return permission === 'write' || permission === 'admin'
}

/** The run that looks at what was pushed, to be made by `createRun`. */
export async function prepareCommitsReview(
  pushed: PushedCommits & { organizationId: number },
  options: PrepareReview,
): Promise<CreateRun> {
  const { repo, hosts, mask } = options
  const { organizationId, branch, before, after } = pushed
  const diff = mask(
    await hosts.git(repo).diff(repo, { base: before, head: after, bytesMax: limits.reviewDiffBytesMax }),
  )
  return {
    ...runOf(organizationId, options),
    prompt: `Look at what was pushed to ${branch} up to ${after}.`,
    title: `Review of ${branch}`,
    brief: briefOfCommits(pushed, { repository: repo.name, seal: generateSeal(), diff }),
    branch: `review/${branch}`,
    baseBranch: branch,
    baseCommit: before ?? after,
    outputSchema: commitsAnswerSchema,
    task: { kind: 'review_commits', branch, before, after },
  }
}

function runOf(organizationId: number, options: PrepareReview) {
  const { repo, userId, sourceType, agentType = 'builtin', model = null, traceparent = null } = options
  const by = { userId, sourceType, agentType, model, traceparent }
  return { organizationId, repoId: repo.id, createPullRequest: false, ...by }
}
