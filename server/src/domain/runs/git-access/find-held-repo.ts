import { maybeOne, type Db } from '#db/pool.ts'
import { privateRepositoryName, privateRepositoryPath } from './get-run-branch.ts'
import { onlyReads, type RunTask } from '#domain/runs/run-task.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { GatewayRepo } from './find-gateway-repo.ts'

/** `name`: as in its address; `branch`: the one that the run may push, null where it may push none. */
export type HeldRepo = { repo: GatewayRepo; name: string; branch: string | null }

/** The repository that a run works in, for as long as this lease holds the run; null afterwards. */
export async function findHeldRepo(db: Db, { organizationId, runId, leaseId }: Holder): Promise<HeldRepo | null> {
  const found = await maybeOne<HeldRow>(db, held, [organizationId, runId, leaseId])
  if (!found) return null
  const { branch: own, task, name, ...repo } = found
  const branch = onlyReads(task) ? null : own
  // A run moves its own branch alone, which is its own whatever rules there are.
  const branchRules: [] = []
  if (repo.id !== null && name !== null) return { repo: { organizationId, ...repo, branchRules }, name, branch }
  const path = privateRepositoryPath({ organizationId, runId })
  const repository = { organizationId, id: null, runId, path, defaultBranch: 'main', archived: false, branchRules }
  return { repo: repository, name: privateRepositoryName({ runId }), branch }
}

type HeldRow = Pick<GatewayRepo, 'id' | 'path' | 'defaultBranch' | 'archived'> & {
  name: string | null
  branch: string | null
  task: RunTask | null
}

const held = {
  name: 'find-held-repo',
  text: `select r.branch, r.task, p.id, p.name, p.path, p.default_branch, p.archived
     from run_heads h join runs r on r.organization_id = h.organization_id and r.id = h.run_id
       left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
     where h.organization_id = $1 and h.run_id = $2 and h.lease_id = $3 and h.wanted is distinct from 'cancel'`,
}
