import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import { getAgentUser } from '#domain/accounts/organizations/get-agent-user.ts'
import { renewPull } from '#domain/hosts/pulls/renew-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { forgetAwaitedReview } from '#domain/hosts/reviews/forget-awaited-review.ts'
import { getAwaitedReview, type AwaitedReview } from '#domain/hosts/reviews/get-awaited-review.ts'
import { prepareCommitsReview, preparePullReview, type PrepareReview } from '#domain/hosts/reviews/prepare-review.ts'
import { startAwaitedReview } from '#domain/hosts/reviews/start-awaited-review.ts'
import type { CreateRun } from '#domain/runs/runs/create-run.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'
import { canReview } from './await-pull-review.ts'

/** Starts the run of a review that is due. What is refused for good is not asked for again. */
export const startDueReview: JobHandler = async (app, job) => {
  const awaited = await getAwaitedReview(app.pool, job)
  if (!awaited) return
  // Another worker may have a model.
  if (!(await canReview(app, awaited))) return { againInMs: 0, isPassedOn: true }
  try {
    const prepared = await prepare(app, awaited)
    if (prepared) await startAwaitedReview(app.pool, { job, awaited, ...prepared })
    else await forgetAwaitedReview(app.pool, awaited)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    app.logger.info({ event: 'review_refused', err: error, ...awaited }, 'could not start a review')
    await forgetAwaitedReview(app.pool, awaited)
  }
}

/** Null where there is nothing to review any more. */
async function prepare(app: App, awaited: AwaitedReview): Promise<{ run: CreateRun; commit: string } | null> {
  const { organizationId, repoId, subject, base, commit } = awaited
  const [, kind, name = ''] = /^(pull|branch):(.*)$/s.exec(subject) ?? []
  const repo = await getRepo(app.pool, { organizationId, repoId })
  const { mask } = await app.redactors.readRepo({ organizationId, repoId })
  const userId = await getAgentUser(app.pool, { organizationId })
  const options: PrepareReview = { repo, hosts: app.hosts, mask, userId, sourceType: sourceOf(repo.host) }
  if (kind === 'branch') {
    const pushed = { organizationId, branch: name, before: base, after: commit }
    return { run: await prepareCommitsReview(pushed, options), commit }
  }
  const pull = await renewPull(app.pool, { repo, number: Number(name), forge: app.hosts.forge(repo) })
  if (pull.state === 'closed' || (pull.draft && !awaited.isAsked)) return null
  return { run: await preparePullReview(pull, options), commit: pull.headCommit }
}

function sourceOf(host: string): CreateRun['sourceType'] {
  return host === 'local' ? 'LOCAL' : 'GITHUB_PR_REVIEW'
}
