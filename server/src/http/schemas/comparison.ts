import { Type } from 'typebox'
import { checkConclusions, checkStatuses } from '#base/hosts/host-facts.ts'
import { comparisonLimits } from '#base/comparison-limits.ts'
import { limits } from '#base/limits.ts'
import { runStatuses } from '#domain/runs/run.ts'
import {
  AnyObject,
  Component,
  Cost,
  Effort,
  Id,
  MaxModelCalls,
  Nullable,
  Ordinal,
  PageOf,
  RefTo,
  Text,
  Time,
  Word,
} from './fields.ts'
import { WorkPaths } from './repo.ts'

export const ComparisonParams = Type.Object({ org_id: Id, comparison_id: Id })
export const VerdictParams = Type.Object({ org_id: Id, comparison_id: Id, verdict_id: Id })

const Name = Text(100)
const Model = Text(200)
const judgeFields = {
  command: Text(limits.checkCommandCharactersMax, { description: 'It passes a contestant if it exits with 0.' }),
  timeout_seconds: Type.Integer({ minimum: 1, maximum: limits.checkMs / 1_000 }),
}

const NewContestant = Type.Object(
  {
    name: Type.Optional(Nullable(Name)),
    agent_type: Type.Optional(Nullable(Text(100))),
    model: Type.Optional(Nullable(Model)),
    models: Type.Optional(
      Nullable(
        Type.Array(Model, {
          minItems: 1,
          maxItems: comparisonLimits.contestantsMax,
          description: 'One contestant for each, instead of `model`.',
        }),
      ),
    ),
    effort: Type.Optional(Nullable(Effort)),
    prompt: Type.Optional(
      Nullable(Type.String({ pattern: '\\S', description: 'Instead of the prompt of the comparison.' })),
    ),
    metadata: Type.Optional(Nullable(AnyObject())),
    count: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: comparisonLimits.contestantsMax,
          description: 'How many runs, all alike. Defaults to 1.',
        }),
      ),
    ),
  },
  { description: 'An engine, a model, an effort, or a prompt to compare. What is left out is as in any run.' },
)

export const NewComparison = Type.Object({
  prompt: Type.String({ pattern: '\\S', description: 'What all contestants should do. At most 256 KiB.' }),
  title: Type.Optional(Nullable(Text(200))),
  repo_id: Type.Optional(Nullable(Id)),
  base_branch: Type.Optional(
    Nullable(Text(244, { description: 'The branch to start from. Defaults to the default branch.' })),
  ),
  paths: Type.Optional(Nullable(WorkPaths)),
  max_cost_usd: Type.Optional(Nullable(Type.Number({ ...Cost, description: 'Of each run.' }))),
  max_model_calls: Type.Optional(Nullable(MaxModelCalls)),
  timeout_minutes: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: limits.runMinutesMax, description: 'Of each run.' })),
  ),
  contestants: Type.Array(NewContestant, {
    minItems: 1,
    maxItems: comparisonLimits.contestantsMax,
    description: `They make ${comparisonLimits.contestantsMin} to ${comparisonLimits.contestantsMax} runs together.`,
  }),
  judges: Type.Optional(
    Nullable(
      Type.Unsafe<{ name?: string | null; command: string; timeout_seconds?: number | null }[]>({
        type: 'array',
        items: Type.Object({
          name: Type.Optional(Nullable(Name)),
          command: judgeFields.command,
          timeout_seconds: Type.Optional(Nullable(judgeFields.timeout_seconds)),
        }),
        maxItems: comparisonLimits.judgesMax,
        description:
          'Commands that are run over a clean work tree of each contestant. Defaults to the checks of the repository, as `.runwright.yml` or its settings have them.',
      }),
    ),
  ),
  judge_files: Type.Optional(
    Nullable(
      Type.Unsafe<{ path: string; content: string }[]>({
        type: 'array',
        items: Type.Object({
          path: Text(500, { description: 'In the work tree.' }),
          content: Type.String({ description: 'In base64.' }),
        }),
        maxItems: comparisonLimits.judgeFilesMax,
        description:
          'Files that are put over the work tree before it is judged, 512 KiB together, such as tests that no contestant sees. They are stored as secrets and never returned.',
      }),
    ),
  ),
})

export const KeptRun = Type.Object({
  run_id: Id,
  open_pull_request: Type.Optional(
    Nullable(Type.Boolean({ description: 'Whether to open a pull request for it. Defaults to false.' })),
  ),
})

const count = Type.Integer({ minimum: 0 })

const Verdict = Component(
  'Verdict',
  {
    id: Id,
    name: Name,
    status: Word(checkStatuses),
    conclusion: Nullable(Word(checkConclusions)),
    exit_code: Nullable(
      Type.Integer({ description: 'Null until the command has ended, and if a signal or the time limit ended it.' }),
    ),
    duration_ms: Nullable(count),
    summary: Nullable(Type.String()),
    has_log: Type.Boolean(),
  },
  { description: 'What one judge found of one contestant.' },
)

const ContestantBody = Component('Contestant', {
  n: Ordinal,
  name: Name,
  run_id: Id,
  web_url: Type.String(),
  status: Word(runStatuses),
  status_detail: Nullable(Type.String()),
  outcome: Word(['open', 'passed', 'failed'], {
    description:
      '`passed` if the run completed and all judges passed it; `failed` if a judge failed it, the run did not complete, or it changed nothing that could be judged.',
  }),
  rank: Nullable(
    Type.Integer({
      minimum: 1,
      description: 'Who passed comes first, then lower cost, then less time. Ties have the same rank. Null while open.',
    }),
  ),
  agent_type: Type.String(),
  model: Nullable(Type.String()),
  effort: Nullable(Effort),
  prompt: Nullable(Type.String({ description: 'Null if it is the prompt of the comparison.' })),
  answer: Nullable(Type.String({ description: 'The beginning of it.' })),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String(), retryable: Type.Boolean() })),
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
  usage: Type.Object({
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    cost_usd: Nullable(Type.Number({ description: 'Null if the price is unknown.' })),
  }),
  steps: Type.Integer({ minimum: 0, description: 'Model calls, tool calls, and questions.' }),
  diff: Nullable(Type.Object({ files: count, additions: count, deletions: count })),
  checks: Type.Object(
    { passed: count, failed: count, open: count },
    { description: 'Checks of its commit besides the judges.' },
  ),
  branch: Nullable(Type.String()),
  branch_deleted_at: Nullable(Time),
  pull_request: Nullable(Type.Object({ id: Id, number: Ordinal })),
  verdicts: Type.Array(RefTo(Verdict)),
})

const ComparisonBody = Component(
  'Comparison',
  {
    id: Id,
    title: Type.String(),
    prompt: Type.String(),
    user_id: Id,
    repo_id: Nullable(Id),
    base_branch: Nullable(Type.String()),
    base_commit: Nullable(
      Type.String({ description: 'The commit that all contestants start from. Null until the first one starts.' }),
    ),
    status: Word(['open', 'done', 'cancelled'], {
      description: '`done` once every run has ended and every judge has found its verdict.',
    }),
    judges: Type.Array(
      Type.Object({ name: Name, command: judgeFields.command, timeout_seconds: Nullable(judgeFields.timeout_seconds) }),
    ),
    judge_files: Type.Array(Type.Object({ path: Type.String(), bytes: count })),
    winner_run_id: Nullable(Id),
    open_pull_request: Type.Boolean({ description: 'Whether the kept run is to have a pull request.' }),
    problem: Nullable(Type.String({ description: 'Why the kept run has no pull request.' })),
    created_at: Time,
    web_url: Type.String(),
    contestants: Type.Array(RefTo(ContestantBody)),
  },
  { description: 'One task that several contestants do, each in a run of its own.' },
)

export const comparisonComponents = [Verdict, ContestantBody, ComparisonBody, PageOf(ComparisonBody)]
