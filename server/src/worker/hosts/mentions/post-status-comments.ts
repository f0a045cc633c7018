import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import { claimStatusComment } from '#domain/hosts/status-comments/claim-status-comment.ts'
import { finishStatusComment } from '#domain/hosts/status-comments/finish-status-comment.ts'
import { releaseStatusComment } from '#domain/hosts/status-comments/release-status-comment.ts'
import type { StatusComment } from '#domain/hosts/status-comments/status-comment.ts'

/**
 * Tells one run's answer where it was asked for: in one comment of the run's, which the next answer takes the place of.
 * Answers whether there may be more.
 */
export async function postStatusComments(app: App): Promise<boolean> {
  const reply = await claimStatusComment(app.pool)
  if (!reply) return false
  const { organizationId, runId, repoId, on } = reply
  try {
    const { path } = await getRepo(app.pool, { organizationId, repoId })
    const body = await bodyOf(app, reply)
    await app.host.saveComment({ organizationId, path }, on, { marker: `agent-run:${runId}`, body })
    await finishStatusComment(app.pool, reply)
  } catch (error) {
    const retryAt = error instanceof HostError ? error.retryAt : undefined
    const isGivenUp = await releaseStatusComment(app.pool, reply, { retryAt })
    app.logger.warn({ err: error, runId, isGivenUp }, 'could not post the answer of a run')
  }
  return true
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

function textOf({ status, result, error, isTask, question }: StatusComment): string {
  if (status === 'completed' && isTask) return 'I reviewed it. See my review for what I found.'
  if (status === 'completed') return result ?? 'Done.'
  if (status === 'failed') return `I could not do it: ${error?.message ?? 'the run failed.'}`
  if (status === 'cancelled') return 'The run was stopped.'
  if (status === 'waiting_for_user') return `I have a question before I go on:\n\n${question ?? ''}`
  return 'I am working on it.'
}
