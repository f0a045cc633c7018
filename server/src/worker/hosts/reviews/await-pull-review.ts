import type { App } from '#app/app.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { limits } from '#base/limits.ts'
import type { Pull } from '#domain/hosts/pulls/pull.ts'
import { hasModelProvider } from '#domain/repos/model-providers/has-model-provider.ts'
import { renewPull } from '#domain/hosts/pulls/renew-pull.ts'
import { awaitReview } from '#domain/hosts/reviews/await-review.ts'
import { forgetAwaitedReview } from '#domain/hosts/reviews/forget-awaited-review.ts'
import { getReviewSettings, type ReviewSettings } from '#domain/hosts/reviews/get-review-settings.ts'
import { isReviewAwaited } from '#domain/hosts/reviews/is-review-awaited.ts'
import type { HandleHostEvent, Handler } from '#worker/hosts/events/handler.ts'
import { isTrusted } from '#worker/hosts/events/is-trusted.ts'

type PullEvent = Extract<HostEvent, { type: 'pull' }>

/** Has a pull request reviewed where somebody asks the agent to, or where the settings want it by itself. */
export const awaitPullReview: Handler<PullEvent> = async (app, { organizationId, repo, event }) => {
  const pull = await renewPull(app.pool, { repo, number: event.number, forge: app.hosts.forge(repo) })
  const ids = { organizationId, repoId: repo.id, subject: `pull:${pull.number}` }
  if (pull.state === 'closed') {
    await forgetAwaitedReview(app.pool, ids)
    return null
  }
  if (!(await canReview(app, ids))) return null
  const settings = await getReviewSettings(app.pool, ids)
  const isAsked = isAskedOf(event, settings) && (await isTrustedActor(app, { organizationId, repo, event }))
  const isWaiting = await isReviewAwaited(app.pool, ids)
  if (!isAsked && !isWanted({ event, pull, settings, isWaiting })) return null
  const settleMs = isAsked ? 0 : limits.reviewSettleMs
  const isNew = await awaitReview(app.pool, { ...ids, commit: pull.headCommit, isAsked, settleMs })
  return isNew ? `to be reviewed at ${pull.headCommit}` : null
}

/** Without a model nothing reviews, and what nobody has asked for is not missed. */
export async function canReview(
  { engines, pool }: Pick<App, 'engines' | 'pool'>,
  organization: { organizationId: number },
): Promise<boolean> {
  const hasOwnModels = await hasModelProvider(pool, organization)
  return engines.get('builtin')?.availability(hasOwnModels).available ?? false
}

function isAskedOf({ action, requested }: PullEvent, { agentActorId }: ReviewSettings): boolean {
  return action === 'review_requested' && agentActorId !== null && requested?.hostUserId === agentActorId
}

/** Whoever has opened a pull request can ask those again who have reviewed it before. */
async function isTrustedActor(
  app: App,
  { organizationId, repo, event: { actor } }: Pick<HandleHostEvent<PullEvent>, 'organizationId' | 'repo' | 'event'>,
): Promise<boolean> {
  return actor !== null && !actor.isBot && isTrusted(app, { organizationId, path: repo.path }, actor)
}

type Weigh = { event: PullEvent; pull: Pull; settings: ReviewSettings; isWaiting: boolean }

function isWanted({ event, pull, settings, isWaiting }: Weigh): boolean {
  const { reviewPulls } = settings
  // What comes from elsewhere is reviewed where somebody asks for it who may.
  if (reviewPulls === 'off' || pull.draft || pull.isFromFork) return false
  if (event.action === 'opened' || event.action === 'ready') return true
  // One that still waits is of the newest commit.
  return event.action === 'head_changed' && (reviewPulls === 'each_head' || isWaiting)
}
