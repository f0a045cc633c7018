import type { HostComment } from '#adapters/codehosts/code-host.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { getOwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import { isPullOfAgent } from '#domain/hosts/pulls/is-pull-of-agent.ts'
import type { Handler } from '#worker/hosts/events/handler.ts'
import { actOnRelayed } from './act-on-relayed.ts'
import { listAskedComments } from '#domain/hosts/mentions/list-asked-comments.ts'
import { askByComment, doneBefore } from './ask-by-comment.ts'
import { isTrusted } from '#worker/hosts/events/is-trusted.ts'
import { readSubject, type Subject } from './read-subject.ts'
import { ignoredReason } from './ignored-reason.ts'

type CommentEvent = Extract<HostEvent, { type: 'comment' }>

/**
 * Gives the agent what somebody who may write there says to it in a comment, as the comment stands now. One that was changed
 * counts where the change has brought the mention, of whoever has made it, and where its writer may write there, too.
 */
export const actOnComment: Handler<CommentEvent> = async (app, options) => {
  const { organizationId, repo, event } = options
  const { on, actor, comment: posted, before, author } = event
  if (author) return actOnRelayed(app, { ...options, author })
  const { settings } = await getOrganization(app.pool, { organizationId })
  const own = await getOwnAccount(app.pool, repo)
  const place = { organizationId, repoId: repo.id, number: on.number }
  const isOurs = on.kind === 'pull' && (await isPullOfAgent(app.pool, place))
  const isMentionNeeded = settings.requireMentions || !isOurs || before !== undefined
  const rules = { own, agentName: settings.agentName, isMentionNeeded }
  const ignored = ignoredReason({ ...rules, actor, body: posted.body })
  if (ignored !== null || !actor) return `left alone: ${ignored}`
  if (before !== undefined && ignoredReason({ ...rules, actor, body: before }) === null)
    return 'left alone: it has mentioned the agent before'
  const ref = { organizationId, path: repo.path }
  if (!(await isTrusted(app, ref, actor))) return `left alone: ${actor.login} may not write here`
  const subject = await readSubject(app, ref, on)
  const comment = subject.comments.find(({ id }) => id === posted.id)
  if (!comment) return 'left alone: the comment is gone'
  const now = ignoredReason({ ...rules, actor: comment.author, body: comment.body })
  if (now !== null) return `left alone: ${now}`
  if (!isBy(comment, actor)) {
    if (before === undefined) return 'left alone: it is another’s now'
    // Who has written it can change it again before we read it.
    if (!comment.author || !(await isTrusted(app, ref, comment.author)))
      return 'left alone: who has written it may not write here'
  }
  const ask = { repo, subject, own, isOurs, asker: actor, comment }
  if (before !== undefined) return askByComment(app, ask)
  const asked = await listAskedComments(app.pool, { ...place, on, ids: [comment.id] })
  if (asked.size) return doneBefore
  return askByComment(app, { ...ask, others: withSameReview(subject, comment) })
}

/** What its writer has said in the same review. */
function withSameReview({ comments }: Subject, { id, reviewId, author }: HostComment): HostComment[] {
  if (reviewId === undefined || !author) return []
  return comments.filter((each) => each.id !== id && each.reviewId === reviewId && isBy(each, author))
}

export const isBy = ({ author }: HostComment, { hostUserId }: { hostUserId: string }) =>
  author?.hostUserId === hostUserId
