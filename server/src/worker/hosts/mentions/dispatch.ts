import type { HostComment, RepoRef } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { messageTypes } from '#base/entry.ts'
import { findAccountUser } from '#domain/accounts/host-accounts/find-account-user.ts'
import type { OwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { acceptMention, type AcceptMention } from '#domain/hosts/mentions/accept-mention.ts'
import { countMentions } from '#domain/hosts/mentions/count-mentions.ts'
import { findMentionRun } from '#domain/hosts/mentions/find-mention-run.ts'
import type { Mention } from '#domain/hosts/mention.ts'
import { refuseMention } from '#domain/hosts/mentions/refuse-mention.ts'
import type { Asker, MessageEntry } from '#domain/runs/messages/message.ts'
import { getAgentUser } from '#domain/accounts/organizations/get-agent-user.ts'
import { hasModelProvider } from '#domain/repos/model-providers/has-model-provider.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { createRun, type CreateRun } from '#domain/runs/runs/create-run.ts'
import { defaultEngine } from '#domain/runs/runs/default-engine.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { sourceTypes } from '#domain/runs/run.ts'
import { nameOf, type Subject } from './read-subject.ts'
import { findPullToContinue } from './find-pull-to-continue.ts'
import { reviewFork } from './review-fork.ts'

export type Dispatch = {
  request: Mention
  repo: Repo
  subject: Subject
  own: OwnAccount
  /** Who asks, and is trusted; and who of ours that is, where it is known. */
  asker: HostActor
  userId?: number
  /** What they say in comments; `parts` are those that are handed over with the one of the request. */
  asked?: readonly HostComment[]
  parts?: readonly HostComment[]
  /** Of a run that begins. */
  title: string
  prompt: string
  /** As the log shows it. */
  comment: { body: string; url: string }
}

/**
 * Gives an agent what somebody has asked: the run that is at work there is told, or goes on, or a new one starts. What cannot
 * be done is said where it was asked, once. Answers what became of it.
 */
export async function dispatch(app: App, options: Dispatch): Promise<string> {
  const { request, repo, subject } = options
  const { isKnown, recent } = await countMentions(app.pool, request)
  if (isKnown) return 'it was done before'
  if (recent >= hostLimits.mentionsMax) return refuse(app, options, tooMany)
  try {
    const begin = await prepare(app, options)
    const partIds = (options.parts ?? []).map(({ id }) => id)
    const accepted = await acceptMention(app.pool, { request, act: begin.act, partIds, ...threadsOf(options) })
    return accepted ? `${begin.how} run ${accepted.runId}` : 'it was done before'
  } catch (error) {
    // What would be the same at another try is for people to read.
    if (!(error instanceof AppError) || error.status >= 500) throw error
    app.logger.info({ err: error, repoId: repo.id, subject: subject.on }, 'a mention was refused')
    return refuse(app, options, error.message)
  }
}

/** What a review of a fork finds stands in that review. */
function threadsOf({ asked = [], subject }: Dispatch): Pick<AcceptMention, 'threads' | 'isInThreads'> {
  if (subject.pull?.head.isFromFork) return {}
  const threads = asked.flatMap(({ id: commentId, threadId, line }) => {
    if (threadId === undefined || !line) return []
    const { hunk: _, ...lines } = line
    return [{ commentId, threadId, lines }]
  })
  return { threads, isInThreads: threads.length > 0 && threads.length === asked.length }
}

const tooMany = `So much was asked here within an hour that I stop. Ask again later, or start a run by hand.`

type Begin = Pick<AcceptMention, 'act'> & { how: string }

async function prepare(app: App, options: Dispatch): Promise<Begin> {
  const { repo, subject, prompt } = options
  const { organizationId, id: repoId } = repo
  const entry = entryOf(options)
  const asker = askerOf(options)
  const known = await findMentionRun(app.pool, { organizationId, repoId, on: subject.on })
  if (known) {
    const { runId } = known
    const act: Begin['act'] = async (tx) => {
      await resumeRun(tx, { organizationId, runId, prompt, userId: await userOf(tx, options), entry, asker })
      return { runId }
    }
    return { how: 'told', act }
  }
  const run = await newRun(app, options)
  const act: Begin['act'] = async (tx) => {
    const { id: runId } = await createRun(tx, { ...run, userId: await userOf(tx, options), entry, asker })
    return { runId }
  }
  return { how: 'started', act }
}

type NewRun = Omit<CreateRun, 'userId'>

async function newRun(app: App, { repo, subject, title, prompt }: Dispatch): Promise<NewRun> {
  const sourceType = sourceTypes.find((type) => type === repo.host.toUpperCase()) ?? 'API'
  const { pull, url, on } = subject
  if (pull?.head.isFromFork) return reviewFork(app, { repo, number: pull.number, prompt, sourceType })
  return {
    organizationId: repo.organizationId,
    repoId: repo.id,
    sourceType,
    agentType: await engineOf(app, repo),
    prompt,
    title,
    metadata: { [on.kind === 'pull' ? 'pull_request_url' : 'issue_url']: url },
    ...(pull && (await findPullToContinue(app, { repo, pull }))),
  }
}

/** The repository's, unless it cannot be used any more: whoever asks on a code host cannot choose another. */
async function engineOf(
  { engines, pool }: App,
  { defaultEngine: name, organizationId }: Dispatch['repo'],
): Promise<string> {
  const hasOwnModels = await hasModelProvider(pool, { organizationId })
  return name !== null && engines.get(name)?.availability(hasOwnModels).available
    ? name
    : defaultEngine(engines, hasOwnModels)
}

/** Who of ours asks; else the agent itself does, and the log says for whom. */
async function userOf(
  tx: Parameters<Begin['act']>[0],
  { repo: { organizationId }, own, asker, userId: known }: Dispatch,
): Promise<number> {
  if (known !== undefined) return known
  const userId = await findAccountUser(tx, { organizationId, host: own.host, actor: asker })
  return userId ?? getAgentUser(tx, { organizationId })
}

/** Of a host elsewhere; members ask as themselves. */
function askerOf({ repo, asker, userId }: Dispatch): Asker | undefined {
  if (repo.host === 'local' || userId !== undefined) return undefined
  return { id: asker.hostUserId, login: asker.login }
}

function entryOf({ repo, asker, comment }: Dispatch): MessageEntry | undefined {
  const name = `USER_${repo.host.toUpperCase()}_ISSUE_COMMENT`
  const messageType = messageTypes.find((type) => type === name)
  return messageType && { messageType, observation: { body: comment.body, author: asker.login, url: comment.url } }
}

/** Says why nothing comes of it, in one comment however often it is so. */
async function refuse(app: App, { request, repo, subject }: Dispatch, why: string): Promise<string> {
  const ref: RepoRef = { organizationId: repo.organizationId, path: repo.path }
  await app.hosts
    .forge(ref)
    .saveComment(ref, subject.on, { marker: 'not-started', body: `I have not begun. ${app.mask(why)}` })
  await refuseMention(app.pool, { request, why })
  return `refused at ${nameOf(subject.on)}: ${why}`
}
