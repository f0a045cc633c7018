import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { getAgentUser } from '#domain/accounts/organizations/get-agent-user.ts'
import { renewPull } from '#domain/hosts/pulls/renew-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { claimAwaitedReview, type AwaitedReview } from '#domain/hosts/reviews/claim-awaited-review.ts'
import { prepareCommitsReview, preparePullReview, type PrepareReview } from '#domain/hosts/reviews/prepare-review.ts'
import { returnAwaitedReview } from '#domain/hosts/reviews/return-awaited-review.ts'
import { startAwaitedReview } from '#domain/hosts/reviews/start-awaited-review.ts'
import type { CreateRun } from '#domain/runs/runs/create-run.ts'
import { canReview } from './await-pull-review.ts'

/** Starts the run of the next review that is due. */
export async function startDueReview(app: App): Promise<boolean> {
  if (!canReview(app)) return false
  const awaited = await claimAwaitedReview(app.pool)
  if (!awaited) return false
  try {
    const prepared = await prepare(app, awaited)
    if (prepared) await startAwaitedReview(app.pool, { awaited, ...prepared })
    else await returnAwaitedReview(app.pool, { awaited, pauseMs: null })
  } catch (error) {
    await returnAwaitedReview(app.pool, { awaited, pauseMs: pauseAfter(error, awaited, app.clock.now()) })
    app.logger.info({ err: error, ...awaited }, 'could not start a review')
  }
  return true
}

/** Null where there is nothing to review any more. */
async function prepare(app: App, awaited: AwaitedReview): Promise<{ run: CreateRun; commit: string } | null> {
  const { organizationId, repoId, subject, base, commit } = awaited
  const [, kind, name = ''] = /^(pull|branch):(.*)$/s.exec(subject) ?? []
  const repo = await getRepo(app.pool, { organizationId, repoId })
  const { mask } = await app.redactors.readRepo({ organizationId, repoId })
  const userId = await getAgentUser(app.pool, { organizationId })
  const given: PrepareReview = { repo, store: app.host, mask, userId, sourceType: sourceOf(repo.host) }
  if (kind === 'branch') {
    const pushed = { organizationId, branch: name, before: base, after: commit }
    return { run: await prepareCommitsReview(pushed, given), commit }
  }
  const pull = await renewPull(app.pool, { repo, number: Number(name), store: app.host })
  if (pull.state === 'closed' || (pull.draft && !awaited.isAsked)) return null
  return { run: await preparePullReview(pull, given), commit: pull.headCommit }
}

function sourceOf(host: string): CreateRun['sourceType'] {
  return host === 'local' ? 'LOCAL' : 'GITHUB_PR_REVIEW'
}

/** What is refused for good is not asked for again, and neither is what fails each time. */
function pauseAfter(error: unknown, { tries }: AwaitedReview, now: Date): number | null {
  if (tries >= limits.reviewTriesMax || (error instanceof AppError && error.code !== 'unavailable')) return null
  const retryAt = error instanceof HostError ? error.retryAt : undefined
  return Math.max(limits.reviewRetryMs * 2 ** (tries - 1), retryAt ? retryAt.getTime() - now.getTime() : 0)
}
