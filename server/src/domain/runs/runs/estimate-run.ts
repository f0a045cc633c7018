import { AppError } from '#base/errors.ts'
import type { Effort } from '#base/models/effort.ts'
import { one, type Db } from '#db/pool.ts'
import { budgetReached } from '#domain/runs/budgets/hold-spent-run.ts'
import { getEgress } from '#domain/repos/egress/get-egress.ts'
import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { findLackingIsolation } from '#domain/runs/sandboxes/find-lacking-isolation.ts'
import { getRun } from '#domain/runs/get-run.ts'

export type EstimateRun = {
  organizationId: number
  agentType: string
  userId: number
  repoId: number | null
  parentRunId: number | null
  maxCostUsd: number | null
}

export type RunEstimate = {
  /** What would refuse it, or make it wait: a budget, isolation, a limit, that no worker may take it; null when it would begin at once. */
  blockedBy: 'budget_reached' | 'sandbox_too_weak' | 'capacity' | 'no_worker' | 'no_own_worker' | 'no_fit_worker' | null
  /** What most runs of this engine have cost, at most what this one may; null where no cost is known. */
  lowUsd: number | null
  highUsd: number | null
  /** As the organization's setting says. */
  createPullRequest: boolean
  defaultBranch: string | null
  /** What its repository limits work trees to. */
  paths: string[]
  /** That its repository or its organization names. */
  defaultModel: string | null
  defaultEffort: Effort | null
  /** What its sandbox could reach. */
  egressNames: string[]
}

/** How many of the newest runs an estimate is made of. */
const runsConsidered = 200

/** What would become of a run, without making it. Throws what making it would: `repo_not_found`, `run_not_found`, `conflict`. */
export async function estimateRun(db: Db, request: EstimateRun): Promise<RunEstimate> {
  const { organizationId, agentType, userId, repoId, parentRunId, maxCostUsd } = request
  const repo = repoId === null ? undefined : await getRepo(db, { organizationId, repoId })
  if (repo?.archived) throw new AppError('conflict', { message: `Repository ${repoId} is archived.` })
  if (parentRunId !== null) await getRun(db, { organizationId, runId: parentRunId })
  const { settings, defaultModels, defaultEffort } = await getOrganization(db, { organizationId })
  const { isSpent, isFull, reason, lowUsd, highUsd } = await one<{
    isSpent: boolean
    isFull: boolean
    reason: 'capacity' | 'no_worker' | 'no_own_worker' | 'no_fit_worker'
    lowUsd: number | null
    highUsd: number | null
  }>(
    db,
    `select coalesce((select running >= max_running from run_slots where organization_id = $1), false)
         or exists (select from run_heads where organization_id = $1 and status = 'queued') as "isFull",
       used_up_budget($1, $4, $3) is not null as "isSpent", wait_reason($1, labels_wanted($1, $3)) as reason,
       percentile_cont(0.1) within group (order by cost) as "lowUsd", percentile_cont(0.9) within group (order by cost) as "highUsd"
     from (select h.cost_usd::float8 as cost from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
           where r.organization_id = $1 and r.agent_type = $2 and h.status = 'completed' and h.cost_usd is not null
           order by r.id desc limit ${runsConsidered}) newest`,
    [organizationId, agentType, repoId, userId],
  )
  const lack = await findLackingIsolation(db, { organizationId, repoId })
  const waits = reason !== 'capacity' ? reason : isFull ? 'capacity' : null
  const atMost = (cost: number | null) => (cost === null ? null : Math.min(cost, maxCostUsd ?? cost))
  return {
    blockedBy: isSpent ? budgetReached : lack ? 'sandbox_too_weak' : waits,
    lowUsd: atMost(lowUsd),
    highUsd: atMost(highUsd),
    createPullRequest: settings.enablePrCreation,
    defaultBranch: repo?.defaultBranch ?? null,
    paths: repo?.paths ?? [],
    defaultModel: repo?.defaultModels[0] ?? defaultModels[0] ?? null,
    defaultEffort: repo?.defaultEffort ?? defaultEffort,
    egressNames: (await getEgress(db, { organizationId, repoId })).names,
  }
}
