import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import type { HostActor, HostEvent } from '#base/hosts/host-event.ts'
import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'
import { getOwnAccount, isOwn, type OwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { findMentionRun } from '#domain/hosts/mentions/find-mention-run.ts'
import { refuseMention } from '#domain/hosts/mentions/refuse-mention.ts'
import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import type { OrganizationSettings } from '#domain/accounts/organizations/organization.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import type { Handler } from '#worker/hosts/events/handler.ts'
import { dispatch } from './dispatch.ts'
import { isTrusted } from '#worker/hosts/events/is-trusted.ts'
import { readSubject, titleOf, type Subject } from './read-subject.ts'
import { isAmong, trustedAuthors } from './trusted-authors.ts'
import { ignoredReason } from './ignored-reason.ts'
import { writeMention } from './write-mention.ts'

type IssueEvent = Extract<HostEvent, { type: 'issue' }>

/** Gives the agent an issue that mentions it, or that somebody who may write there has assigned to it or labelled for it. */
export const actOnIssue: Handler<IssueEvent> = async (app, { organizationId, repo, event }) => {
  const { number } = event
  const { settings } = await getOrganization(app.pool, { organizationId })
  const own = await getOwnAccount(app.pool, repo)
  if (!isForAgent(event, { settings, own })) return null
  const ref = { organizationId, path: repo.path }
  const assignment = event.action === 'opened' ? event : await findAssignment(app, { repo: ref, event })
  if (!assignment) return 'left alone: it was taken back'
  const { actor, at } = assignment
  if (!actor || actor.isBot || isOwn(own, actor)) return 'left alone: no person did it'
  const on = { kind: 'issue', number } as const
  const request = { organizationId, repoId: repo.id, on, key: `${event.action}:${event.label ?? ''}:${at}` }
  // Those who write an issue often label and assign it in the same moment; that is done by this, whoever tells it again.
  if (event.action !== 'opened' && (await isAtWork(app, repo, number))) {
    await refuseMention(app.pool, { request, why: atWork })
    return `left alone: ${atWork}`
  }
  if (!(await isTrusted(app, ref, actor))) return `left alone: ${actor.login} may not write here`
  const subject = await readSubject(app, ref, on)
  if (subject.state !== 'open') return 'left alone: it is closed'
  const ignored = event.action === 'opened' && whyMeantForOthers(subject, { actor, settings, own })
  if (ignored) return `left alone: ${ignored}`
  const trusted = await trustedAuthors(app, { repo: ref, subject, own })
  const isShown = isAmong(trusted, subject.author)
  return dispatch(app, {
    request,
    repo,
    subject,
    own,
    asker: actor,
    title: titleOf(subject, { isShown }),
    prompt: writeMention({ repository: repo.name, subject, asker: actor, asked: [], trusted, isShown }),
    comment: {
      body: isShown ? stripHiddenMarkdown(`${subject.title}\n\n${subject.body}`).trim() : '',
      url: subject.url,
    },
  })
}

const atWork = 'a run is at work on it'

/**
 * Who has given the issue to the agent, and when: the host says, so that what is told twice, by a webhook and by a look, is one.
 * A host that does not keep that tells each in the moment that it is done. Null: it was taken back.
 */
async function findAssignment(
  { hosts }: App,
  { repo, event }: { repo: RepoRef; event: IssueEvent },
): Promise<Pick<IssueEvent, 'actor' | 'at'> | null> {
  const { number, label = '', assignee } = event
  const to = assignee ? { assigneeId: assignee.hostUserId } : { label }
  const forge = hosts.forge(repo)
  return forge.findAssignment ? forge.findAssignment(repo, number, to) : event
}

type Given = { settings: OrganizationSettings; own: OwnAccount }

function isForAgent({ action, label, assignee }: IssueEvent, { settings, own }: Given): boolean {
  if (action === 'opened') return true
  if (action === 'labeled') return settings.triggerLabel !== '' && label === settings.triggerLabel
  return action === 'assigned' && assignee !== undefined && assignee.hostUserId === own.hostUserId
}

/** An issue that is new is for the agent where its writer mentions it. */
function whyMeantForOthers(subject: Subject, { actor, settings, own }: Given & { actor: HostActor }): string | null {
  if (subject.author?.hostUserId !== actor.hostUserId) return 'it is another’s now'
  const body = `${subject.title}\n\n${subject.body}`
  return ignoredReason({ actor, body, own, agentName: settings.agentName, isMentionNeeded: true })
}

async function isAtWork({ pool }: App, { organizationId, id: repoId }: Repo, number: number): Promise<boolean> {
  const run = await findMentionRun(pool, { organizationId, repoId, on: { kind: 'issue', number } })
  return run !== undefined && !hasEnded(run)
}
