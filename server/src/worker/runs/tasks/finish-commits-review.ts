import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { commitsAnswerSchema, type CommitsAnswer } from '#domain/hosts/reviews/answer.ts'
import type { RunTask } from '#domain/runs/run-task.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'
import { readResult } from './read-result.ts'
import type { FinishTask } from './finisher.ts'

type ReviewCommits = Extract<RunTask, { kind: 'review_commits' }>

/** Logs what an agent has found of pushed commits as COMMIT_EVALUATION, once: what it is asked about that later is talk. */
export async function finishCommitsReview(
  app: Pick<App, 'blobs' | 'mask' | 'notifier' | 'pool'>,
  { holder, task, workspace, answer, signal }: FinishTask<ReviewCommits>,
): Promise<void> {
  const result = await readResult(answer, commitsAnswerSchema)
  const found = (result?.value as CommitsAnswer | undefined) ?? { verdict: 'concerns', summary: answer.answer }
  const commits = workspace ? await listCommits(workspace.sandbox, task, signal) : [task.after]
  const thought = answer.thought ?? `What was pushed to ${task.branch} was read up to ${task.after}.`
  const observation = { commits, verdict: found.verdict, summary: found.summary }
  await durableNote(app, {
    holder,
    key: `review:${task.after}`,
    entries: [{ messageType: 'COMMIT_EVALUATION', thought, observation }],
  })
}

type Sandbox = NonNullable<FinishTask['workspace']>['sandbox']

/** Oldest first. The agent could have told its own git anything, so no more is believed than that the newest is among them. */
async function listCommits(sandbox: Sandbox, { before, after }: ReviewCommits, signal: AbortSignal): Promise<string[]> {
  const range = before === null ? [after] : [after, `^${before}`]
  const argv = ['git', 'rev-list', '--reverse', `--max-count=${limits.commitsToldMax}`, ...range]
  const { exitCode, stdout } = await sandbox.exec({ argv, timeoutMs: limits.gitCommandMs, signal }).result
  signal.throwIfAborted()
  const listed = exitCode === 0 ? stdout.toString().match(/^[0-9a-f]{40}$/gm) : null
  return listed?.includes(after) ? listed : [after]
}
