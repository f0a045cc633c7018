import type { HostEvent } from '#base/hosts/host-event.ts'
import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import { isLookedAfter } from '#domain/hosts/fixers/is-looked-after.ts'
import { getOwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { isPullOfAgent } from '#domain/hosts/pulls/is-pull-of-agent.ts'
import type { Handler } from '#worker/hosts/events/handler.ts'
import { isTrusted } from '#worker/hosts/events/is-trusted.ts'
import { isBy } from './act-on-comment.ts'
import { askByComment } from './ask-by-comment.ts'
import { ignoredReason } from './ignored-reason.ts'
import { mentionsAgent } from './mentions-agent.ts'
import { readSubject } from './read-subject.ts'

type ReviewEvent = Extract<HostEvent, { type: 'review' }>

/**
 * Gives the agent a review of somebody who may write there, with all of its comments: one that mentions the agent, and one that
 * requests changes of a pull request that its run looks after, which needs no mention.
 */
export const actOnReview: Handler<ReviewEvent> = async (app, { organizationId, repo, event }) => {
  const { id: reviewId, number, state, body, actor } = event
  if (reviewId === undefined) return null
  const { settings } = await getOrganization(app.pool, { organizationId })
  const own = await getOwnAccount(app.pool, repo)
  const place = { organizationId, repoId: repo.id, number }
  const isOurs = await isPullOfAgent(app.pool, place)
  const isRequest = state === 'changes_requested' && (await isLookedAfter(app.pool, place))
  const isMentionNeeded = !isRequest && (settings.requireMentions || !isOurs)
  const rules = { own, agentName: settings.agentName }
  const ignored = ignoredReason({ ...rules, actor, body, isMentionNeeded })
  if (ignored !== null || !actor) return `left alone: ${ignored}`
  const ref = { organizationId, path: repo.path }
  if (!(await isTrusted(app, ref, actor))) return `left alone: ${actor.login} may not write here`
  const subject = await readSubject(app, ref, { kind: 'pull', number })
  if (isRequest && subject.state !== 'open') return 'left alone: it is closed'
  const comments = subject.comments.filter((comment) => comment.reviewId === reviewId && isBy(comment, actor))
  if (isMentionNeeded && !comments.some((comment) => mentionsAgent(comment.body, rules)))
    return 'left alone: it does not mention the agent any more'
  return askByComment(app, { repo, subject, own, isOurs, asker: actor, comment: null, others: comments, reviewId })
}
