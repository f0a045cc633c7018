import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { AnyObject, Cost, Effort, Id, Images, MaxModelCalls, Nullable, Text } from './fields.ts'
import { WorkPaths } from './repo.ts'

/** What a run is made of. */
export const NewRun = Type.Object({
  prompt: Type.String({ pattern: '\\S', description: 'What the agent should do. At most 256 KiB.' }),
  repo_id: Type.Optional(Nullable(Id)),
  images: Type.Optional(Nullable(Images)),
  metadata: Type.Optional(
    Nullable(AnyObject({ description: 'Stored with the run. At most 16 KiB and 8 levels of nesting.' })),
  ),
  model: Type.Optional(Nullable(Text(200))),
  effort: Type.Optional(Nullable(Effort)),
  max_model_calls: Type.Optional(Nullable(MaxModelCalls)),
  agent_type: Type.Optional(
    Nullable(Text(100, { description: 'The engine, as in `GET …/engines`. `codegen` is the same as `builtin`.' })),
  ),
  title: Type.Optional(Nullable(Text(200))),
  base_branch: Type.Optional(
    Nullable(Text(244, { description: 'The branch to start from. Defaults to the default branch.' })),
  ),
  branch: Type.Optional(
    Nullable(Text(244, { description: "An existing branch to continue on. It can't be the default branch." })),
  ),
  pull_request: Type.Optional(Nullable(Id)),
  create_pull_request: Type.Optional(
    Nullable(Type.Boolean({ description: "Defaults to the organization's setting." })),
  ),
  paths: Type.Optional(Nullable(WorkPaths)),
  max_cost_usd: Type.Optional(Nullable(Cost)),
  timeout_minutes: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: limits.runMinutesMax }))),
  parent_run_id: Type.Optional(Nullable(Id)),
  plan_approval: Type.Optional(
    Nullable(Type.Boolean({ description: 'Whether a person must approve the plan first.' })),
  ),
  output_schema: Type.Optional(
    Nullable(
      AnyObject({
        description: 'JSON Schema (2020-12) for the final answer, which is then also returned as `result_json`.',
      }),
    ),
  ),
  dry_run: Type.Optional(
    Nullable(
      Type.Boolean({ description: 'If true, no run is created. The response shows what the run would look like.' }),
    ),
  ),
})
