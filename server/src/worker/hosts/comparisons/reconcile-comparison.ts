import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import type { Comparison, Contestant } from '#domain/hosts/comparisons/comparison.ts'
import { deleteContestantBranch } from '#domain/hosts/comparisons/delete-contestant-branch.ts'
import { getComparison } from '#domain/hosts/comparisons/get-comparison.ts'
import { queueVerdicts } from '#domain/hosts/comparisons/queue-verdicts.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { Repo } from '#domain/repos/repo.ts'
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
  const found = await findComparison(app, job)
  if (!found) return
  const { comparison, repo } = found
  for (const contestant of comparison.contestants) await judge(app, { job, comparison, contestant })
  if (comparison.winnerRunId === null || repo === null) return
  await openWinnerPull(app, { comparison, repo })
  for (const contestant of comparison.contestants)
    if (contestant.runId !== comparison.winnerRunId && hasEnded(contestant) && contestant.branchDeletedAt === null)
      await deleteContestantBranch(app.pool, { comparison, contestant, repo, hosts: app.hosts })
}

type Found = { comparison: Comparison; repo: Repo | null }

/** Undefined: its runs were deleted, or its repository was removed. */
async function findComparison({ pool }: Pick<App, 'pool'>, job: ClaimedJob): Promise<Found | undefined> {
  const { organizationId, ref } = job
  try {
    const comparison = await getComparison(pool, { organizationId, comparisonId: Number(ref) })
    const { repoId } = comparison
    return { comparison, repo: repoId === null ? null : await getRepo(pool, { organizationId, repoId }) }
  } catch (error) {
    if (error instanceof AppError && gone.has(error.code)) return undefined
    throw error
  }
}

const gone = new Set<string>(['comparison_not_found', 'repo_not_found'])

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
