import type { AgentRun } from '@runwright/sdk'
import { client } from '#base/api.ts'

/** Starts a new run with the task and the settings of this one. */
export async function retryRun({ organization_id: organizationId, id }: AgentRun): Promise<AgentRun> {
  // A list may hold only the beginning of a prompt.
  const run = await client.runs.getRun({ org_id: organizationId, agent_run_id: id })
  const { images, output_schema: schema } = await client.runs.getRunInput({ org_id: organizationId, agent_run_id: id })
  return client.runs.createRun({
    org_id: organizationId,
    prompt: run.prompt,
    agent_type: run.agent_type,
    timeout_minutes: run.timeout_minutes,
    plan_approval: run.plan_approval,
    ...(run.repo_id !== null && { repo_id: run.repo_id }),
    ...(run.title !== null && { title: run.title }),
    ...(run.model !== null && { model: run.model }),
    ...(run.effort !== null && { effort: run.effort }),
    ...(run.max_model_calls !== null && { max_model_calls: run.max_model_calls }),
    ...(run.paths !== null && { paths: run.paths }),
    ...(run.base_branch !== null && { base_branch: run.base_branch }),
    ...((await isGivenBranch(run)) && { branch: run.branch }),
    ...(run.max_cost_usd !== null && { max_cost_usd: run.max_cost_usd }),
    ...(run.metadata !== null && { metadata: run.metadata }),
    ...(images.length > 0 && { images }),
    ...(schema !== null && { output_schema: schema }),
  })
}

/** Whether it was told to continue the branch it is on. A branch of its own is named after it, and holds what it did. */
async function isGivenBranch({
  organization_id: organizationId,
  id,
  repo_id: repoId,
  branch,
}: AgentRun): Promise<boolean> {
  if (branch === null) return false
  if (branch === `agent/${id}` || branch.startsWith(`agent/${id}-`)) return false
  if (repoId === null) return true
  const { pull_settings: settings } = await client.repositories.getRepo({ org_id: organizationId, repo_id: repoId })
  const hasOwnNames = settings.branch_pattern !== 'agent/{run}-{title}'
  return !(hasOwnNames && branch.split(/[-_./]/).includes(String(id)))
}
