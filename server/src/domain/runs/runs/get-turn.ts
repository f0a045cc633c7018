import type { EnforcementRequired } from '#base/enforcement.ts'
import type { JsonObject } from '#base/json.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { MessageEntry } from '#domain/runs/messages/message.ts'
import { one, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { RunTask } from '#domain/runs/run-task.ts'

/** What a worker must know of a run to work at its turn. */
export type TurnFacts = {
  prompt: string
  /** How the log shows the prompt, where it is not as a USER_MESSAGE. */
  entry: MessageEntry | null
  title: string | null
  metadata: JsonObject | null
  /**
   * What the organization, and the person who started the run, tell all of their agents. What a fork brings along are no rules
   * of the project.
   */
  rules: { organization: string | null; person: string | null; areDetected: boolean }
  model: string | null
  agentType: string
  createPullRequest: boolean
  timeoutMinutes: number
  outputSchema: JsonObject | null
  /** Whether people approve the plan before anything is changed. */
  planApproval: boolean
  /** Whether its agent may start other runs: it is no run of the service's own, and not too deep below another. */
  mayStartRuns: boolean
  turnStartedAt: Date
  /** Whether its answer is stored, so that all that is left is to publish its work. */
  isAnswered: boolean
  baseBranch: string | null
  baseCommit: string | null
  branch: string | null
  branchCommit: string | null
  /** Whether it is a contestant of a comparison. */
  isCompared: boolean
  /** To which folders the work tree is limited; with none, it is not. */
  paths: string[]
  repo: Pick<Repo, 'id' | 'host' | 'name' | 'path' | 'defaultBranch' | 'pullSettings'> | null
  requester: { name: string; email: string } | null
  /** Null for a run that changes files. */
  task: RunTask | null
  /** Of its sandbox. */
  sandboxRequire: EnforcementRequired
}

/** `prompt` is the first message of the run's present turn. */
export async function getTurn(db: Db, { organizationId, runId }: RunIds): Promise<TurnFacts> {
  return one<TurnFacts>(db, turn, [organizationId, runId])
}

const turn = {
  name: 'get-turn',
  text: `select coalesce((select m.body from messages m where m.organization_id = r.organization_id and m.run_id = r.id and m.turn = h.turn
         order by m.n limit 1), r.prompt) as prompt,
       (select m.entry from messages m where m.organization_id = r.organization_id and m.run_id = r.id and m.turn = h.turn
         order by m.n limit 1) as entry,
       r.title, r.metadata, r.model, r.agent_type, r.create_pull_request,
       r.timeout_minutes, r.plan_approval,
       r.task is null and r.user_id is not null and (r.root_run_id is null or r.root_run_id = r.parent_run_id) as may_start_runs,
       -- What is said to a reviewer afterwards is talk.
       case when r.task is null or h.turn = 1 then r.output_schema end as output_schema, h.turn_started_at, r.base_branch,
       exists (select from steps s where s.organization_id = r.organization_id and s.run_id = r.id and s.key = 't' || h.turn || '/answer' and s.state = 'done') as is_answered,
       r.base_commit, coalesce(r.paths, p.paths, '{}') as paths, r.task, r.branch, r.branch_commit,
       exists (select from contestants t where t.organization_id = r.organization_id and t.run_id = r.id) as is_compared,
       case when p.id is null then null else
         json_build_object('id', p.id, 'host', p.host, 'name', p.name, 'path', p.path, 'defaultBranch', p.default_branch, 'pullSettings', p.pull_settings) end as repo,
       case when u.email is null then null else json_build_object('name', coalesce(u.full_name, u.email), 'email', u.email) end as requester,
       json_build_object('organization', nullif(trim(o.rules), ''), 'person', nullif(trim(u.custom_prompt), ''),
         'areDetected', coalesce((o.settings->>'enable_rules_detection')::boolean, true) and not exists (select from pulls f
           where f.organization_id = r.organization_id and f.id = (r.task->>'pullId')::bigint and f.is_from_fork)) as rules,
       coalesce(o.settings->'sandbox_require', '{}') as "sandboxRequire"
     from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
       join organizations o on o.id = r.organization_id
       left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
       left join users u on u.id = r.user_id
     where r.organization_id = $1 and r.id = $2`,
}
