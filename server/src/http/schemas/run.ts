import { Type, type Static } from 'typebox'
import { runStatuses, sourceTypes } from '#domain/runs/run.ts'
import { AnyJson, AnyObject, Component, Id, Nullable, PageOf, Time, Word } from './fields.ts'

const nullableText = Nullable(Type.String())

export const PullBody = Type.Object(
  {
    id: Id,
    title: Type.String(),
    url: Type.String(),
    created_at: Time,
    head_branch_name: Type.String(),
    number: Type.Integer(),
    state: Word(['open', 'closed']),
    merged: Type.Boolean(),
    merged_at: Nullable(Time),
  },
  { $id: 'RunPullRequest', title: 'RunPullRequest' },
)

/** What every reading of a run begins with. */
export const runHeadFields = {
  id: Id,
  organization_id: Id,
  status: Word(runStatuses),
  created_at: Time,
  web_url: Type.String({ description: 'The page where people see the run.' }),
  result: Nullable(Type.String({ description: 'The answer of the last completed turn.' })),
}

export const RunBody = Type.Object(
  {
    ...runHeadFields,
    status_detail: Nullable(
      Type.String({ description: 'Why it is in this status: capacity, cloning, setup, working, creating_pr, …' }),
    ),
    summary: nullableText,
    error: Nullable(
      Type.Object(
        { code: Type.String(), message: Type.String(), retryable: Type.Boolean() },
        { description: 'Why it failed.' },
      ),
    ),
    source_type: Word(sourceTypes),
    github_pull_requests: Type.Array(Component<Static<typeof PullBody>>('RunPullRequest'), {
      description: 'Pull requests of the run, of any code host.',
    }),
    metadata: Nullable(AnyObject()),
    prompt: Type.String(),
    title: nullableText,
    repo_id: Nullable(Id),
    model: nullableText,
    agent_type: Type.String({ description: 'The engine at work.' }),
    turn: Type.Integer({ minimum: 1 }),
    updated_at: Time,
    started_at: Nullable(Time),
    finished_at: Nullable(Time),
    user_id: Nullable(Id),
    parent_run_id: Nullable(Id),
    branch: nullableText,
    base_branch: nullableText,
    usage: Type.Object({
      input_tokens: Type.Integer(),
      output_tokens: Type.Integer(),
      cost_usd: Nullable(Type.Number({ description: 'Null where no price is known.' })),
    }),
    archived: Type.Boolean(),
    result_json: AnyJson({ description: 'The answer as data, where a schema was given and it fits; else null.' }),
    max_cost_usd: Nullable(
      Type.Number({
        description:
          'No model is asked once the run has cost as much; it is paused then (budget_reached) and goes on when this is raised.',
      }),
    ),
    timeout_minutes: Type.Integer(),
    plan_approval: Type.Boolean(),
  },
  { $id: 'AgentRun', title: 'AgentRun' },
)

export const runComponents = [PullBody, RunBody, PageOf('AgentRun')]
