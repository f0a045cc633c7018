import { HostError } from '#adapters/codehosts/code-host.ts'
import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import type { Entry } from '#base/entry.ts'
import { limits } from '#base/limits.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { settleEffect } from '#domain/runs/effects/settle-effect.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { comparisonOf, type Pull } from '#domain/hosts/pulls/pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getReviewSettings } from '#domain/hosts/reviews/get-review-settings.ts'
import { placeComments } from '#domain/hosts/reviews/place-comments.ts'
import { pullAnswerSchema, type PullAnswer } from '#domain/hosts/reviews/answer.ts'
import { asReviewComment, reviewMarker, type Verdict } from '#domain/hosts/reviews/review.ts'
import { saveReview } from '#domain/hosts/reviews/save-review.ts'
import type { RunTask } from '#domain/runs/run-task.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { readResult } from './read-result.ts'
import { readyEntries } from '#worker/runs/turn/ready-entries.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import type { FinishTask } from './finisher.ts'

type ReviewPull = Extract<RunTask, { kind: 'review_pull' }>

/** Posts what an agent has found of a pull request, once, and logs it as PR_EVALUATION. */
export async function finishPullReview(app: App, { holder, task, answer }: FinishTask<ReviewPull>): Promise<void> {
  const { organizationId } = holder
  const pull = await getPull(app.pool, { organizationId, pullId: task.pullId })
  const repo = await getRepo(app.pool, pull)
  const review = await compose(app, { holder, pull, found: await readAnswer(answer), commit: task.headCommit })
  const key = `review:${pull.id}:${task.headCommit}`
  const effect = await intendEffect(app.pool, { holder, key, kind: 'review', request: { pullId: pull.id } })
  if (effect.state === 'done') return
  const { verdict, comments } = review
  const observation = { verdict: review.found, summary: review.summary, comments: review.logged }
  const thought = answer.thought ?? `What pull request ${pull.number} changes was read at ${task.headCommit}.`
  const entry: Entry = { messageType: 'PR_EVALUATION', thought, observation }
  const settle = async (state: 'done' | 'refused', result: { url: string | null }) =>
    settleEffect(app.pool, {
      holder,
      key,
      state,
      result,
      entries: await readyEntries(app, { holder, at: `turn-${holder.turn}-review`, entries: [entry] }),
      mask: app.mask,
    })
  const marker = reviewMarker(holder.runId)
  const posted = { commit: task.headCommit, verdict, body: review.body, comments, marker }
  try {
    const by = { userId: null, runId: holder.runId }
    const { url } = await app.hosts.forge(repo).createReview({ ...repo, holder }, pull.number, { ...posted, by })
    const report = {
      verdict,
      body: review.body,
      comments: comments.map(asReviewComment),
      marker,
      headCommit: task.headCommit,
    }
    const at = repo.host === 'local' ? null : url
    await saveReview(app.pool, { organizationId, pullId: pull.id, ...by, ...report, url: at, publicUrl: app.publicUrl })
    await settle('done', { url })
  } catch (error) {
    if (!(error instanceof HostError) || !error.isFinal) throw error
    await settle('refused', { url: null })
    throw new RunFailure('review_refused', `The review could not be posted: ${error.message}`, { cause: error })
  }
}

/** An answer that is not as it was asked for is still worth reading. */
async function readAnswer(answer: Answer): Promise<PullAnswer> {
  const result = await readResult(answer, pullAnswerSchema)
  return (result?.value as PullAnswer | undefined) ?? { verdict: 'comment', summary: answer.answer, comments: [] }
}

type Compose = { holder: Holder; pull: Pull; found: PullAnswer; commit: string }

async function compose(
  app: Pick<App, 'hosts' | 'mask' | 'pool' | 'publicUrl'>,
  { holder, pull, found, commit }: Compose,
) {
  const repo = await getRepo(app.pool, pull)
  const { mayApprove } = await getReviewSettings(app.pool, { ...holder, repoId: repo.id })
  // Nobody vouches for their own work.
  const isOwn = pull.runId !== null
  const judged: Verdict = found.verdict === 'approve' && (isOwn || !mayApprove) ? 'comment' : found.verdict
  const compare = { ...comparisonOf(pull), head: commit, bytesMax: limits.diffBytesMax }
  const diff = await app.hosts.git(repo).diff(repo, compare)
  const comments = found.comments.map(({ path, start_line: startLine, line, body, suggestion }) => ({
    path,
    ...(startLine !== undefined && { startLine }),
    line,
    side: 'head' as const,
    body: app.mask(body),
    ...(suggestion !== undefined && { suggestion: app.mask(suggestion) }),
  }))
  const summary = app.mask(found.summary)
  const placed = placeComments({ body: `${summary}\n`, comments, diff })
  const body = `${placed.body.trim()}\n\n---\n${verdictWords[judged]} Written by an agent that has read ${commit}: ${webUrl(app.publicUrl, holder)}.`
  return {
    found: judged,
    verdict: isOwn ? ('comment' as const) : judged,
    summary,
    body,
    comments: placed.comments,
    /** Those that could be placed and the others. */
    logged: found.comments.map(({ body: words, suggestion, ...lines }) => ({
      ...lines,
      body: app.mask(words),
      ...(suggestion !== undefined && { suggestion: app.mask(suggestion) }),
    })),
  }
}

const verdictWords: Record<Verdict, string> = {
  approve: 'Nothing stands against it.',
  request_changes: 'It should not be merged like this.',
  comment: 'No verdict: people decide.',
}
