import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { readDiffLines } from '#base/text/read-diff-lines.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { StatusComment } from '#domain/hosts/status-comments/status-comment.ts'
import { labelOf } from '#domain/hosts/threads/asked-thread.ts'
import { finishThreads } from '#domain/hosts/threads/finish-threads.ts'
import { listDueThreads, type DueThread, type SaidReply } from '#domain/hosts/threads/list-due-threads.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { listPushes } from '#domain/runs/effects/list-pushes.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import { isRefused } from '#worker/hosts/fixers/apply-effect.ts'

export type AnswerThreads = { job: ClaimedJob; status: StatusComment; repo: Repo; signal: AbortSignal }

/**
 * Answers each comment on lines that asked something of a run in its own thread, once, and settles the threads of which the agent
 * says that nothing is left to do. May be called again after a crash or a failure.
 */
export async function answerThreads(app: App, { job, status, repo, signal }: AnswerThreads): Promise<void> {
  const { organizationId, runId, on } = status
  const forge = app.hosts.forge(repo)
  const due = await listDueThreads(app.pool, status)
  if (!due.length) return
  const settled: string[] = []
  for (const thread of due) {
    signal.throwIfAborted()
    const reply = findReply(thread)
    const text = reply?.text ?? (await describe(app, { thread, status, repo }))
    const body = `${app.mask(shorten(text)).trim()}\n\n[Run ${runId}](${webUrl(app.publicUrl, { organizationId, runId })})`
    const { threadId, commentId } = thread
    const marker = `agent-thread:${runId}:${commentId}`
    const isThere = await unlessRefused(app, job, async () => {
      await forge.replyInThread?.(repo, on.number, { threadId, marker, body })
    })
    if (isThere && reply?.resolved) settled.push(threadId)
  }
  signal.throwIfAborted()
  await unlessRefused(app, job, async () => forge.resolveThreads?.(repo, on.number, settled))
  await finishThreads(app.pool, { job, ids: due.map(({ id }) => id) })
}

function findReply({ commentId, replies }: DueThread): SaidReply | undefined {
  return replies?.find(({ comment }) => labelOf(comment) === labelOf(commentId))
}

/** What the host will never take is left; a comment may be gone. Answers whether it was taken. */
async function unlessRefused(
  { logger }: Pick<App, 'logger'>,
  job: ClaimedJob,
  act: () => Promise<void> | undefined,
): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (!isRefused(error, job)) throw error
    logger.info({ event: 'thread_reply_refused', err: error, ref: job.ref }, 'a reply in a thread was refused')
    return false
  }
}

const shorten = (text: string) =>
  text.length > textCharactersMax ? `${text.slice(0, textCharactersMax).toWellFormed()} …` : text

/** What is kept free stands below it. */
const textCharactersMax = limits.commentCharactersMax - 2_000

type Describe = { thread: DueThread; status: StatusComment; repo: Repo }

/** Of a comment about which the agent has said nothing by itself: the answer, where it was all that was asked, else what was pushed. */
async function describe(app: App, { thread, status, repo }: Describe): Promise<string> {
  const { lines, turn, isOfOwnTurn, othersCount, answer } = thread
  if (othersCount === 0 && isOfOwnTurn) return answer ?? 'Done.'
  const { branch } = await getRun(app.pool, status)
  const pushes = branch === null ? [] : await listPushes(app.pool, { ...status, branch })
  const own = pushes.filter((push) => push.turn === turn)
  const [first, last] = [own[0], own.at(-1)]
  if (!first || !last) return 'Not changed.'
  const shown = await linesChanged(app, repo, { base: first.expected, head: last.commit })
  const file = shown.get(lines.path)
  const commit = last.commit.slice(0, 10)
  if (!file) return `Not changed: ${commit} leaves \`${lines.path.replaceAll('`', "'")}\` as it was.`
  // Of what the head was before.
  if (lines.side === 'head' && file.base.has(lines.line)) return `I changed this part of the file in ${commit}.`
  return `I changed this file in ${commit}, elsewhere.`
}

async function linesChanged({ hosts }: Pick<App, 'hosts'>, repo: Repo, compare: { base: string | null; head: string }) {
  try {
    return readDiffLines(await hosts.git(repo).diff(repo, { ...compare, bytesMax: limits.diffBytesMax }))
  } catch (error) {
    if (error instanceof HostError && error.isFinal) return new Map<string, never>()
    throw error
  }
}
