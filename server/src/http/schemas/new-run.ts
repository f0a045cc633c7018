import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { AnyObject, Cost, Id, Images, Nullable, Text } from './fields.ts'

/** What a run is made of. */
export const NewRun = Type.Object({
  prompt: Type.String({ pattern: '\\S', description: 'What the agent is to do; at most 256 KiB.' }),
  repo_id: Type.Optional(Nullable(Id)),
  images: Type.Optional(Nullable(Images)),
  metadata: Type.Optional(Nullable(AnyObject({ description: 'Kept with the run; at most 16 KiB and 8 levels.' }))),
  model: Type.Optional(Nullable(Text(200))),
  agent_type: Type.Optional(Nullable(Text(100, { description: 'The engine: codegen, repair, scripted, …' }))),
  title: Type.Optional(Nullable(Text(200))),
  base_branch: Type.Optional(Nullable(Text(244, { description: 'The default branch when left out.' }))),
  branch: Type.Optional(
    Nullable(Text(244, { description: 'A branch that exists, to go on with; not the default branch.' })),
  ),
  pull_request: Type.Optional(Nullable(Id)),
  create_pull_request: Type.Optional(
    Nullable(Type.Boolean({ description: "The organization's setting when left out." })),
  ),
  max_cost_usd: Type.Optional(Nullable(Cost)),
  timeout_minutes: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: limits.runMinutesMax }))),
  parent_run_id: Type.Optional(Nullable(Id)),
  plan_approval: Type.Optional(Nullable(Type.Boolean({ description: 'Whether people approve the plan first.' }))),
  output_schema: Type.Optional(
    Nullable(AnyObject({ description: 'JSON Schema 2020-12 of the answer, which then comes as `result_json` too.' })),
  ),
  dry_run: Type.Optional(
    Nullable(Type.Boolean({ description: 'Makes nothing, and answers what would become of it.' })),
  ),
})
