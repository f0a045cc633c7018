import { Type } from 'typebox'
import { efforts } from '#base/models/effort.ts'
import { runStatuses, sourceTypes } from '#domain/runs/run.ts'
import { AnyJson, AnyObject, Component, Id, Nullable, PageOf, RefTo, Time, Word } from './fields.ts'

const nullableText = Nullable(Type.String())

export const PullBody = Component('RunPullRequest', {
  id: Id,
  title: Type.String(),
  url: Type.String(),
  created_at: Time,
  head_branch_name: Type.String(),
  number: Type.Integer(),
  state: Word(['open', 'closed']),
  merged: Type.Boolean(),
  merged_at: Nullable(Time),
})

/** What every reading of a run begins with. */
export const runHeadFields = {
  id: Id,
  organization_id: Id,
  status: Word(runStatuses),
  created_at: Time,
  web_url: Type.String({ description: 'URL of the run in the web UI.' }),
  result: Nullable(Type.String({ description: 'The final answer of the last completed turn.' })),
}

export const RunBody = Component('AgentRun', {
  ...runHeadFields,
  status_detail: Nullable(
    Type.String({
      description: 'Details about the current status: `capacity`, `cloning`, `setup`, `working`, `creating_pr`, …',
    }),
  ),
  summary: nullableText,
  error: Nullable(
    Type.Object(
      { code: Type.String(), message: Type.String(), retryable: Type.Boolean() },
      { description: 'Why the run failed.' },
    ),
  ),
  host_wait: Nullable(
    Type.Object(
      {
        for: Word(['begin', 'deliver'], {
          description:
            '`begin`: the run cannot read its repository yet. `deliver`: the finished work is kept until the code host accepts it.',
        }),
        code: Type.String({ description: 'What the code host answered, such as `unavailable` or `forbidden`.' }),
        message: Type.String(),
        tries: Type.Integer({ minimum: 1, description: 'How many tries have failed.' }),
        since: Time,
        next_try_at: Nullable(Time),
      },
      {
        description:
          'Set while the run waits for its code host (`status_detail` is `waiting_for_host` between tries). If `next_try_at` is null, the run is paused until somebody continues it.',
      },
    ),
  ),
  source_type: Word(sourceTypes),
  github_pull_requests: Type.Array(RefTo(PullBody), {
    description: 'Pull requests opened by the run, on any code host.',
  }),
  metadata: Nullable(AnyObject()),
  prompt: Type.String(),
  title: nullableText,
  repo_id: Nullable(Id),
  model: nullableText,
  effort: Nullable(
    Word(efforts, {
      description: 'How much models think. If null, the default of the repository or organization applies.',
    }),
  ),
  max_model_calls: Nullable(
    Type.Integer({ description: 'How often one turn may ask a model. If null, the limit of the service applies.' }),
  ),
  agent_type: Type.String({ description: 'The engine that executes the run.' }),
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
    cached_input_tokens: Type.Integer({
      description: 'Those of `input_tokens` that came from the cache of a provider.',
    }),
    output_tokens: Type.Integer(),
    cost_usd: Nullable(Type.Number({ description: 'Null if the price is unknown.' })),
  }),
  archived: Type.Boolean(),
  result_json: AnyJson({
    description: 'The final answer as JSON if the run has an output schema and the answer matches it; otherwise null.',
  }),
  max_cost_usd: Nullable(
    Type.Number({
      description:
        'Cost limit of the run. Once the run reaches it, the run makes no more model calls and is paused (`budget_reached`). Raise the limit to continue the run.',
    }),
  ),
  timeout_minutes: Type.Integer(),
  plan_approval: Type.Boolean(),
  paths: Nullable(
    Type.Array(Type.String(), {
      description: 'Folders that the work tree is limited to; `[]` for all. If null, those of the repository apply.',
    }),
  ),
  truncated: Type.Array(Type.String(), {
    description:
      'Fields that hold only their first 2,000 characters: `prompt`, `result` or `summary`, in lists and streams. Reading the run by itself gives all of them, and `[]` here.',
  }),
})

const RunInput = Component('RunInput', {
  images: Type.Array(Type.String(), {
    description: 'Base64 data URIs. Images that are no longer stored are left out.',
  }),
  output_schema: Nullable(AnyObject()),
})

export const runComponents = [RunInput, PullBody, RunBody, PageOf(RunBody)]
