import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { OpenPull as NewPull, PullRequest } from '#adapters/codehosts/forge.ts'
import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import type { Entry } from '#base/entry.ts'
import { pullKey } from '#domain/runs/effects/effect.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { settleEffect } from '#domain/runs/effects/settle-effect.ts'
import { startFixer } from '#domain/hosts/fixers/start-fixer.ts'
import { listRunIssues } from '#domain/hosts/mentions/list-run-issues.ts'
import { findEndedPull } from '#domain/hosts/pulls/find-ended-pull.ts'
import { pullSettingsOf } from '#domain/repos/pull-settings.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'
import { readyEntries } from '#worker/runs/turn/ready-entries.ts'
import { labelPull, type Labelled } from './label-pull.ts'
import type { Workspace } from './open-workspace.ts'
import { updatePull } from './update-pull.ts'
import type { Verified } from './verify-work.ts'
import { writePullBody } from './write-pull-body.ts'

export type OpenPull = {
  holder: Holder
  facts: TurnFacts
  workspace: Workspace
  commit: string | null
  title: string
  answer: Answer
  /** What came of the repository's checks of the commit. */
  verified: readonly Verified[]
  signal: AbortSignal
}

/**
 * Opens the run's pull request, or adds to the one that is open what was done now: the push has brought it the work. After one
 * that was merged or closed, new work asks for a new one. Why there is none is logged, and does not fail the run.
 */
export async function openPull(app: App, options: OpenPull): Promise<void> {
  const { holder, facts, workspace, commit, title, answer, verified, signal } = options
  const { repo } = facts
  if (!repo || !facts.createPullRequest) return
  const { branch, baseBranch, baseCommit, ref } = workspace
  if (commit === null || commit === baseCommit) {
    // A follow-up that changes nothing needs no word about a pull request that is open already.
    if (facts.branchCommit) return
    return refuse(app, holder, {
      code: 'no_diff',
      message: 'The run changed no file, so there is nothing to open a pull request for.',
    })
  }
  if (baseCommit === null) {
    const message = `The repository had no commit when the run began, so there is nothing to compare with. The work is on the branch ${branch}.`
    return refuse(app, holder, { code: 'no_base', message })
  }
  const ended = await findEndedPull(app.pool, { ...holder, branch })
  // What was merged or turned down is not asked for again.
  if (ended?.headCommit === commit) return
  const key = pullKey(branch, ended?.id)
  const request = { title, headBranch: branch, baseBranch }
  const effect = await intendEffect(app.pool, { holder, key, kind: 'pull', request })
  crashAt('pull.intended')
  if (effect.state === 'done') {
    const number = effect.result?.['number']
    if (typeof number === 'number' && workspace.branchCommit !== null && commit !== workspace.startCommit)
      await updatePull(app, { ref, number, turn: holder.turn, answer, verified })
    return
  }
  const newPull = await describePull(app, { ...options, commit, repo })
  try {
    const forge = app.hosts.forge(ref)
    const { pull } = await forge.openPull(ref, newPull)
    crashAt('pull.opened')
    await startFixer(app.pool, {
      ...holder,
      pullId: pull.id,
      at: app.clock.now(),
      isProposal: answer.isDraft === true,
    })
    crashAt('pull.agent_started')
    const labelled = await labelPull({ forge, ref, number: pull.number, labels: pullSettingsOf(repo).labels })
    await settleEffect(app.pool, {
      holder,
      key,
      state: 'done',
      result: { number: pull.number },
      entries: await readyEntries(app, {
        holder,
        at: `turn-${holder.turn}-pull`,
        entries: [openedEntry(pull, labelled)],
      }),
      mask: app.mask,
    })
    crashAt('pull.settled')
  } catch (error) {
    // Elsewhere it may be answered otherwise later.
    if (!(error instanceof HostError) || (!error.isFinal && repo.host !== 'local')) throw error
    const code = (await isBaseGone(app, { ref, baseBranch, signal })) ? 'base_gone' : error.code
    await refuse(app, holder, { code, message: error.message })
  }
}

type DescribePull = OpenPull & { commit: string; repo: NonNullable<TurnFacts['repo']> }

async function describePull(
  app: Pick<App, 'mask' | 'pool' | 'publicUrl'>,
  { holder, repo, workspace, commit, title, answer, verified }: DescribePull,
): Promise<NewPull> {
  const body = writePullBody({
    answer,
    verified,
    issues: await listRunIssues(app.pool, holder),
    template: workspace.habits?.template ?? null,
    url: webUrl(app.publicUrl, holder),
  })
  return {
    repoId: repo.id,
    runId: holder.runId,
    title: app.mask(title),
    body: app.mask(body),
    headBranch: workspace.branch,
    baseBranch: workspace.baseBranch,
    headCommit: commit,
    draft: answer.isDraft === true || pullSettingsOf(repo).draftUntilGreen,
    leaseId: holder.leaseId,
  }
}

function openedEntry({ title, body, headBranch, baseBranch, url, number }: PullRequest, labelled: Labelled): Entry {
  return {
    messageType: 'INITIAL_PR_GENERATION',
    thought: `The work is on ${headBranch}; a pull request asks to take it into ${baseBranch}.`,
    observation: { title, body, head_branch: headBranch, base_branch: baseBranch, url, number, ...labelled },
  }
}

type BaseGone = { ref: RepoRef; baseBranch: string; signal: AbortSignal }

async function isBaseGone(app: Pick<App, 'hosts'>, { ref, baseBranch, signal }: BaseGone): Promise<boolean> {
  try {
    return !(await app.hosts.git(ref).mirror(ref, { signal })).branches.has(baseBranch)
  } catch (error) {
    if (error instanceof HostError) return false
    throw error
  }
}

async function refuse(
  app: Pick<App, 'blobs' | 'mask' | 'notifier' | 'pool'>,
  holder: Holder,
  observation: { code: string; message: string },
): Promise<void> {
  await durableNote(app, {
    holder,
    key: `t${holder.turn}/no-pull`,
    entries: [{ messageType: 'PR_CREATION_FAILED', observation }],
  })
}
