import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import type { Comparison, Contestant } from '#domain/hosts/comparisons/comparison.ts'
import { recordProblem } from '#domain/hosts/comparisons/record-problem.ts'
import { startFixer } from '#domain/hosts/fixers/start-fixer.ts'
import { pullSettingsOf } from '#domain/repos/pull-settings.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import { labelPull } from '#worker/runs/steps/label-pull.ts'
import type { Verified } from '#worker/runs/steps/verify-work.ts'
import { writePullBody } from '#worker/runs/steps/write-pull-body.ts'

export type OpenWinnerPull = { comparison: Comparison; repo: Repo }

/** Opens the pull request of the contestant that was kept, where that is wanted, or finds the one that is open. */
export async function openWinnerPull(app: App, { comparison, repo }: OpenWinnerPull): Promise<void> {
  const { organizationId, id: comparisonId, opensPull, winnerRunId } = comparison
  const winner = comparison.contestants.find(({ runId }) => runId === winnerRunId)
  if (!opensPull || !winner || winner.branch === null || winner.head === null || winner.pull !== null) return
  const ids = { organizationId, runId: winner.runId }
  const run = await getRun(app.pool, ids)
  const redactor = await app.redactors.read(ids)
  const forge = app.hosts.forge(repo)
  const { draftUntilGreen, labels } = pullSettingsOf(repo)
  try {
    const { pull } = await forge.openPull(repo, {
      repoId: repo.id,
      runId: run.id,
      title: redactor.mask(run.title ?? `Run ${run.id}`),
      body: redactor.mask(
        writePullBody({
          answer: { answer: run.result ?? '' },
          verified: verifiedOf(comparison, winner),
          issues: [],
          template: null,
          url: webUrl(app.publicUrl, ids),
        }),
      ),
      headBranch: winner.branch,
      baseBranch: run.baseBranch ?? repo.defaultBranch,
      headCommit: winner.head,
      draft: draftUntilGreen,
    })
    await startFixer(app.pool, { ...ids, pullId: pull.id, at: app.clock.now() })
    await labelPull({ forge, ref: repo, number: pull.number, labels })
  } catch (error) {
    // Elsewhere it may be answered otherwise later.
    if (!(error instanceof HostError) || !error.isFinal) throw error
    await recordProblem(app.pool, { organizationId, comparisonId, problem: error.message })
  }
}

function verifiedOf({ judges }: Comparison, { verdicts, head }: Contestant): Verified[] {
  return verdicts.map(({ name, conclusion, summary }) => ({
    command: judges.find((judge) => judge.name === name)?.command ?? name,
    commit: head ?? '',
    conclusion,
    summary: summary ?? '',
  }))
}
