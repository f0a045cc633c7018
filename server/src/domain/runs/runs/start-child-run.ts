import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { roleMay, type Role } from '#domain/accounts/users/roles.ts'
import { findRepoByName } from '#domain/repos/repos/find-repo-by-name.ts'
import { lockHeldRun } from '#domain/runs/budgets/hold-spent-run.ts'
import { listAskers } from '#domain/runs/messages/list-askers.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { createRun } from './create-run.ts'

export type StartChildRun = {
  holder: Holder
  /** Of the step that starts it. */
  key: string
  prompt: string
  title: string | null
  /** Name of a repository of the organization; null: that of the parent. */
  repository: string | null
}

type Parent = {
  userId: number
  role: Role | null
  repoId: number | null
  agentType: string
  model: string | null
  baseBranch: string | null
  paths: string[] | null
  createPullRequest: boolean
  rootRunId: number
  children: number
}

/**
 * Starts a run for the agent of another, and answers its id: once for its key, whatever happens to the worker. It runs for the
 * same person and may do what that person may. Throws `LeaseLost`, `forbidden`, `conflict`, `repo_not_found`, `budget_reached`, `sandbox_too_weak`.
 */
export async function startChildRun(db: Db, request: StartChildRun): Promise<number> {
  const { holder, key, prompt, title, repository } = request
  const { organizationId, runId } = holder
  return inTransaction(db, async (tx) => {
    // From here on the parent cannot be cancelled without its new child.
    await lockHeldRun(tx, holder)
    const known = await maybeOne<{ id: number }>(
      tx,
      'select id from runs where organization_id = $1 and parent_run_id = $2 and child_key = $3',
      [organizationId, runId, key],
    )
    if (known) return known.id
    const parent = await one<Parent>(tx, readParent, [organizationId, runId])
    if (!roleMay(parent.role, 'use_agents'))
      throw new AppError('forbidden', { message: 'The person whom this run is for may not start runs any more.' })
    if (parent.children >= limits.childRunsMax)
      throw new AppError('conflict', { message: `A run starts ${limits.childRunsMax} others at most.` })
    const repo = repository === null ? null : await findRepoByName(tx, { organizationId, name: repository })
    if (repository !== null && !repo)
      throw new AppError('repo_not_found', { message: `There is no repository ${repository} in this organization.` })
    const repoId = repo?.id ?? parent.repoId
    const isSame = repoId === parent.repoId
    // Who is no member sees the repository where the work was asked for, and perhaps no other.
    if (!isSame && (await listAskers(tx, holder)).length > 0)
      throw new AppError('forbidden', {
        message:
          'Somebody outside of the organization asked for this run, so it starts others in its own repository only.',
      })
    const { userId, agentType, model, createPullRequest, rootRunId } = parent
    const child = await createRun(tx, {
      organizationId,
      userId,
      agentType,
      model,
      prompt,
      title,
      repoId,
      createPullRequest,
      sourceType: 'API',
      parentRunId: runId,
      child: { key, rootRunId },
      baseBranch: isSame ? parent.baseBranch : null,
      paths: isSame ? parent.paths : null,
    })
    return child.id
  })
}

const readParent = `
  select r.user_id, m.role, r.repo_id, r.agent_type, r.model, r.base_branch, r.paths, r.create_pull_request,
    coalesce(r.root_run_id, r.id) as "rootRunId",
    (select count(*) from runs c where c.organization_id = r.organization_id and c.parent_run_id = r.id and c.child_key is not null)::int as children
  from runs r left join memberships m on m.organization_id = r.organization_id and m.user_id = r.user_id
  where r.organization_id = $1 and r.id = $2`
