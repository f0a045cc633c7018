import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import { finishStatusComment } from '#domain/hosts/status-comments/finish-status-comment.ts'
import { getStatusComment } from '#domain/hosts/status-comments/get-status-comment.ts'
import type { StatusComment } from '#domain/hosts/status-comments/status-comment.ts'
import { answerThreads } from './answer-threads.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'

/**
 * Posts a run's answer where it was asked for: in the threads of comments on lines, and else in one comment of the run's, which the
 * next answer takes the place of.
 */
export const postStatusComment: JobHandler = async (app, job, signal) => {
  const status = await getStatusComment(app.pool, job)
  if (!status) return
  const { organizationId, runId, repoId, on } = status
  const repo = await getRepo(app.pool, { organizationId, repoId })
  const isGood = status.status === 'completed'
  if (isGood) await answerThreads(app, { job, status, repo, signal })
  if (!isGood || !status.isInThreads) {
    const body = await bodyOf(app, status)
    await app.hosts.forge(repo).saveComment(repo, on, { marker: `agent-run:${runId}`, body })
  }
  await finishStatusComment(app.pool, { job, posted: status })
}

async function bodyOf(app: App, reply: StatusComment): Promise<string> {
  const { organizationId, runId } = reply
  const { pulls } = await getRun(app.pool, { organizationId, runId })
  const links = [
    `[Run ${runId}](${webUrl(app.publicUrl, reply)})`,
    ...pulls.filter(({ repoId }) => repoId === reply.repoId).map(({ number }) => `#${number}`),
  ]
  const text = textOf(reply)
  const max = limits.commentCharactersMax - linksCharactersMax
  const shown = text.length > max ? `${text.slice(0, max).toWellFormed()} …` : text
  return `${app.mask(shown).trim()}\n\n${links.join(' · ')}`
}

/** What is kept free for what stands below the answer. */
const linksCharactersMax = 2_000

/** Of these the message says what the task or the repository is about. Others may name what is inside the service. */
const publicCodes = new Set([
  'base_branch_not_found',
  'context_overflow',
  'max_steps_reached',
  'no_end',
  'no_failing_test',
  'no_fix_found',
  'no_tests_found',
  'not_supported',
  'output_invalid',
  'push_rejected',
  'push_too_large',
  'refused',
  'stuck',
  'timeout',
])

/** A comment may be read by everybody; the run is behind a sign-in. */
function sayFailure(error: StatusComment['error']): string {
  if (error && publicCodes.has(error.code)) return `I could not do it: ${error.message}`
  return 'I could not do it. The run says why.'
}

function textOf({ status, result, error, isTask, question }: StatusComment): string {
  if (status === 'completed' && isTask) return 'I reviewed it. See my review for what I found.'
  if (status === 'completed') return result ?? 'Done.'
  if (status === 'failed') return sayFailure(error)
  if (status === 'cancelled') return 'The run was stopped.'
  if (status === 'waiting_for_user') return `I have a question before I go on:\n\n${question ?? ''}`
  return 'I am working on it.'
}
