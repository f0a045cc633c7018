import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import type { Comparison, Contestant } from '#domain/hosts/comparisons/comparison.ts'
import { deleteContestantBranch } from '#domain/hosts/comparisons/delete-contestant-branch.ts'
import { getComparison } from '#domain/hosts/comparisons/get-comparison.ts'
import { queueVerdicts } from '#domain/hosts/comparisons/queue-verdicts.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getRunBranch } from '#domain/runs/git-access/get-run-branch.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'
import { openWinnerPull } from './open-winner-pull.ts'

/**
 * Brings a comparison on by what has happened since: contestants that have ended are judged, and once one was kept it gets its
 * pull request, and the others lose their branches.
 */
export const reconcileComparison: JobHandler = async (app, job) => {
  const comparison = await findComparison(app, job)
  if (!comparison) return
  for (const contestant of comparison.contestants) await judge(app, { job, comparison, contestant })
  if (comparison.winnerRunId === null || comparison.repoId === null) return
  const repo = await getRepo(app.pool, { organizationId: comparison.organizationId, repoId: comparison.repoId })
  await openWinnerPull(app, { comparison, repo })
  for (const contestant of comparison.contestants)
    if (contestant.runId !== comparison.winnerRunId && hasEnded(contestant) && contestant.branchDeletedAt === null)
      await deleteContestantBranch(app.pool, { comparison, contestant, repo, hosts: app.hosts })
}

/** Undefined: its runs were deleted. */
async function findComparison(app: Pick<App, 'pool'>, job: ClaimedJob): Promise<Comparison | undefined> {
  try {
    return await getComparison(app.pool, { organizationId: job.organizationId, comparisonId: Number(job.ref) })
  } catch (error) {
    if (error instanceof AppError && error.code === 'comparison_not_found') return undefined
    throw error
  }
}

type JudgeContestant = { job: ClaimedJob; comparison: Comparison; contestant: Contestant }

/** A run that failed or was stopped is not judged. */
async function judge(app: App, { job, comparison, contestant }: JudgeContestant): Promise<void> {
  const { head, commit, status, branchDeletedAt } = contestant
  if (status !== 'completed' || head === null || head === commit || branchDeletedAt !== null) return
  const diff = await countChanges(app, { comparison, contestant, head })
  await queueVerdicts(app.pool, { job, comparison, contestant, commit: head, diff })
}

async function countChanges(
  app: Pick<App, 'hosts' | 'pool'>,
  { comparison: { organizationId }, contestant: { runId }, head }: Omit<JudgeContestant, 'job'> & { head: string },
): Promise<Contestant['diff']> {
  const { ref, base } = await getRunBranch(app.pool, { organizationId, runId })
  try {
    const files = await app.hosts.git(ref).listChangedFiles(ref, { base, head })
    const sum = (count: (file: (typeof files)[number]) => number | null) =>
      files.reduce((total, file) => total + (count(file) ?? 0), 0)
    return { files: files.length, additions: sum((file) => file.additions), deletions: sum((file) => file.deletions) }
  } catch (error) {
    if (error instanceof HostError && error.code === 'too_large') return null
    throw error
  }
}
