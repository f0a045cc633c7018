import { HostError } from '#adapters/codehosts/code-host.ts'
import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app.ts'
import { crashAt } from '#base/crash-points.ts'
import { intendEffect } from '#domain/effects/intend-effect.ts'
import { settleEffect } from '#domain/effects/settle-effect.ts'
import type { TurnFacts } from '#domain/runs/get-turn.ts'
import { webUrl } from '#domain/runs/web-url.ts'
import type { Holder } from '#domain/steps/step.ts'
import { durableNote } from '#worker/make-turn.ts'
import { readyEntries } from '#worker/ready-entries.ts'
import type { Workspace } from './open-workspace.ts'

export type OpenPull = {
  holder: Holder
  facts: TurnFacts
  workspace: Workspace
  commit: string | null
  title: string
  answer: Answer
}

/**
 * Opens the run's pull request, or leaves the one that is open as it is: the push has brought it the new work. Why there
 * is none is logged, and does not fail the run.
 */
export async function openPull(app: App, { holder, facts, workspace, commit, title, answer }: OpenPull): Promise<void> {
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
  const body = `${answer.body ?? answer.answer}\n\n---\nMade by an agent: ${webUrl(app.publicUrl, holder)}. A person must review it.\n`
  const key = `pull:${branch}`
  const effect = await intendEffect(app.pool, {
    holder,
    key,
    kind: 'pull',
    request: { title, headBranch: branch, baseBranch },
  })
  crashAt('pull.intended')
  if (effect.state === 'done') return
  try {
    const { pull } = await app.host.openPull(ref, {
      repoId: repo.id,
      runId: holder.runId,
      title: app.mask(title),
      body: app.mask(body),
      headBranch: branch,
      baseBranch,
      headCommit: commit,
      leaseId: holder.leaseId,
    })
    crashAt('pull.opened')
    const observation = {
      title: pull.title,
      body: pull.body,
      head_branch: branch,
      base_branch: baseBranch,
      url: pull.url,
      number: pull.number,
    }
    const entries = [
      {
        messageType: 'INITIAL_PR_GENERATION' as const,
        thought: `The work is on ${branch}; a pull request asks to take it into ${baseBranch}.`,
        observation,
      },
    ]
    await settleEffect(app.pool, {
      holder,
      key,
      state: 'done',
      result: { number: pull.number },
      entries: await readyEntries(app, { holder, at: `turn-${holder.turn}-pull`, entries }),
      mask: app.mask,
    })
    crashAt('pull.settled')
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    await refuse(app, holder, { code: error.code, message: error.message })
  }
}

async function refuse(app: App, holder: Holder, observation: { code: string; message: string }): Promise<void> {
  await durableNote(app, {
    holder,
    key: `t${holder.turn}/no-pull`,
    entries: [{ messageType: 'PR_CREATION_FAILED', observation }],
  })
}
