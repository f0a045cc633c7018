import type { App } from '#app/app.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { getOwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { getHostPermission } from '#domain/accounts/organizations/get-host-permission.ts'
import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import { isPullOfAgent } from '#domain/hosts/pulls/is-pull-of-agent.ts'
import type { HandleHostEvent } from '#worker/hosts/events/handler.ts'
import { askByComment } from './ask-by-comment.ts'
import { mentionsAgent } from './mentions-agent.ts'
import { readSubject } from './read-subject.ts'

type CommentEvent = Extract<HostEvent, { type: 'comment' }>
export type ActOnRelayed = HandleHostEvent<CommentEvent> & { author: NonNullable<CommentEvent['author']> }

/**
 * Handles a comment that a member wrote in Runwright and that was posted on a code host by our own account. Comments of that account
 * are ignored otherwise; this one counts as its author's, in the author's own words, if it mentions the agent.
 */
export async function actOnRelayed(app: App, { organizationId, repo, event, author }: ActOnRelayed): Promise<string> {
  const { on, comment: posted } = event
  const { userId, login, isBot } = author
  if (isBot) return `left alone: ${login} is a program`
  const { settings } = await getOrganization(app.pool, { organizationId })
  const own = await getOwnAccount(app.pool, repo)
  if (!mentionsAgent(posted.body, { own, agentName: settings.agentName }))
    return 'left alone: it does not mention the agent'
  const asker = { hostUserId: String(userId), login, isBot }
  const permission = await getHostPermission(app.pool, { organizationId, actor: asker })
  if (permission !== 'write' && permission !== 'admin') return `left alone: ${login} may not start runs here`
  const subject = await readSubject(app, { organizationId, path: repo.path }, on)
  const there = subject.comments.find(({ id }) => id === posted.id)
  if (!there) return 'left alone: the comment is gone'
  const isOurs = on.kind === 'pull' && (await isPullOfAgent(app.pool, { organizationId, repoId: repo.id, ...on }))
  // Others may have changed what stands there.
  const comment = { ...there, body: posted.body }
  return askByComment(app, { repo, subject, own, isOurs, asker, userId, comment })
}
