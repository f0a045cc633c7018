import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import { advanceFixer, type Advanced } from '#domain/hosts/fixers/advance-fixer.ts'
import type { HeldFixer } from '#domain/hosts/fixers/begin-look.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { deletePullBranch } from '#domain/hosts/pulls/delete-pull-branch.ts'
import type { OutsideEffect } from '#domain/hosts/fixer.ts'
import { pullSettingsOf } from '#domain/repos/pull-settings.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import { diagnoseChecks } from './diagnose-checks.ts'
import { writeFix } from './write-fix.ts'

export type DoEffect = { agent: HeldFixer; repo: Repo; number: number; effect: OutsideEffect }

/** Does the first of what an agent is to do outside, and stores that it is done. Doing it twice is as doing it once. */
export async function doEffect(app: App, { agent, repo, number, effect }: DoEffect): Promise<Advanced> {
  const done = { ...agent, isEffectDone: true }
  if (effect.do === 'diagnose') {
    if (agent.state.phase !== 'detecting' || agent.state.head !== effect.head)
      return advanceFixer(app.pool, { ...done, events: [] })
    const checks = await diagnoseChecks(app, { agent, repo, effect })
    const at = app.clock.now().getTime()
    return advanceFixer(app.pool, {
      ...done,
      events: [{ type: 'diagnosed', head: effect.head, checks, at }],
      writeFix: (fix) => writeFix({ number, head: effect.head, checks, fix }),
    })
  }
  if (effect.do === 'rerun') await rerun(app, repo, effect)
  if (effect.do === 'update_branch') await updateBranch(app, { agent, repo, number, effect })
  if (effect.do === 'delete_branch') await deleteBranch(app, agent)
  if (effect.do === 'comment') await comment(app, { agent, repo, number, effect })
  return advanceFixer(app.pool, { ...done, events: [] })
}

/** One that is at work again, or was since, was run again already. */
async function rerun(app: App, repo: Repo, effect: Extract<OutsideEffect, { do: 'rerun' }>): Promise<void> {
  const { checks } = await app.hosts.forge(repo).listChecks(repo, effect.head)
  for (const check of checks) {
    const isDue = check.status === 'completed' && (check.startedAt?.getTime() ?? 0) < effect.at
    if (isDue && effect.checks.includes(check.name)) await app.hosts.forge(repo).rerunCheck(repo, check)
  }
}

type Update = Omit<DoEffect, 'effect'> & { effect: Extract<OutsideEffect, { do: 'update_branch' }> }

async function updateBranch(app: App, { agent, repo, number, effect }: Update): Promise<void> {
  const { updateBranch: method } = pullSettingsOf(repo)
  if (method === 'off') return
  try {
    await app.hosts.forge(repo).updateBranch?.(repo, number, { method, expectedHead: effect.head })
  } catch (error) {
    // Its branch has moved by then, or cannot be moved like this.
    const isOver = error instanceof HostError && error.code === 'conflict'
    if (!isOver && !isRefused(error, agent.job)) throw error
    app.logger.info({ err: error, runId: agent.runId }, 'a branch was not brought up to date with its base')
  }
}

/** One that somebody needs, or that has moved, stays. */
async function deleteBranch(app: App, { organizationId, pullId, runId, job }: HeldFixer): Promise<void> {
  try {
    await deletePullBranch(app.pool, { organizationId, pullId, hosts: app.hosts, userId: null })
  } catch (error) {
    if (!(error instanceof AppError) && !isRefused(error, { tries: job.tries })) throw error
    app.logger.info({ err: error, runId }, 'the branch of a merged pull request stays')
  }
}

type Comment = Omit<DoEffect, 'effect'> & { effect: Extract<OutsideEffect, { do: 'comment' }> }

async function comment(app: App, { agent, repo, number, effect }: Comment): Promise<void> {
  const body = app.mask(`${effect.text}\n\n${webUrl(app.publicUrl, agent)}`)
  const marker = `agent-run/${agent.runId}/${effect.about}`
  try {
    await app.hosts.forge(repo).saveComment(repo, { kind: 'pull', number }, { marker, body })
  } catch (error) {
    if (!isRefused(error, agent.job)) throw error
    app.logger.info({ err: error, runId: agent.runId }, 'a comment on a pull request was refused')
  }
}

/** Whether trying again does not change it. What is forbidden once may be a whim of the host. */
export const isRefused = (error: unknown, { tries }: Pick<ClaimedJob, 'tries'>): boolean =>
  error instanceof HostError && (final.has(error.code) || (error.code === 'forbidden' && tries > whimsMax))

const final = new Set<HostError['code']>(['unsupported', 'not_found', 'invalid'])
const whimsMax = 3
