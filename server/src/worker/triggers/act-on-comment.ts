import type { HostEvent } from '#base/host-event.ts'
import { keepVisible } from '#base/keep-visible.ts'
import { getOwnAccount } from '#domain/host-accounts/get-own-account.ts'
import { getOrganization } from '#domain/organizations/get-organization.ts'
import { isPullOfAgent } from '#domain/pulls/is-pull-of-agent.ts'
import type { Handler } from '#worker/host-events/handler.ts'
import { handOver } from './hand-over.ts'
import { isTrusted } from './is-trusted.ts'
import { readSubject, titleOf } from './read-subject.ts'
import { isAmong, trustedAuthors } from './trusted-authors.ts'
import { whyUnheard } from './why-unheard.ts'
import { writeRequest } from './write-request.ts'

type CommentEvent = Extract<HostEvent, { type: 'comment' }>

/** Gives the agent what somebody who may write there says to it in a comment, as the comment stands now. */
export const actOnComment: Handler<CommentEvent> = async (app, { organizationId, repo, event }) => {
  const { on, actor, comment: told } = event
  const { settings } = await getOrganization(app.pool, { organizationId })
  const own = await getOwnAccount(app.pool, repo)
  const place = { organizationId, repoId: repo.id, number: on.number }
  const isOurs = on.kind === 'pull' && (await isPullOfAgent(app.pool, place))
  const gate = { own, agentName: settings.agentName, isMentionNeeded: settings.requireMentions || !isOurs }
  const unheard = whyUnheard({ ...gate, actor, body: told.body })
  if (unheard !== null || !actor) return `left alone: ${unheard}`
  const ref = { organizationId, path: repo.path }
  if (!(await isTrusted(app, ref, actor))) return `left alone: ${actor.login} may not write here`
  const subject = await readSubject(app, ref, on)
  const comment = subject.comments.find(({ id }) => id === told.id)
  if (!comment) return 'left alone: the comment is gone'
  const now = whyUnheard({ ...gate, actor: comment.author, body: comment.body })
  if (now !== null || comment.author?.hostUserId !== actor.hostUserId)
    return `left alone: ${now ?? 'it is another’s now'}`
  const trusted = await trustedAuthors(app, { repo: ref, subject, own })
  const isShown = isOurs || isAmong(trusted, subject.author)
  const outcome = await handOver(app, {
    request: { organizationId, repoId: repo.id, on, key: `comment:${comment.id}` },
    repo,
    subject,
    own,
    asker: actor,
    title: titleOf(subject, { isShown }),
    prompt: writeRequest({ repository: repo.name, subject, asker: actor, comment, trusted, isShown }),
    said: { body: keepVisible(comment.body), url: comment.url },
  })
  await app.host
    .acknowledge(ref, on, comment.id)
    .catch((error: unknown) => app.logger.debug({ err: error }, 'a comment was not acknowledged'))
  return outcome
}
