import { limits } from '#base/limits.ts'
import type { Json, JsonObject } from '#base/json.ts'
import type { Effort } from '#base/models/effort.ts'
import type { HostWait } from './host-wait.ts'

export const runStatuses = [
  'queued',
  'in_progress',
  'waiting_for_user',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const
export type RunStatus = (typeof runStatuses)[number]

export const sourceTypes = [
  'LOCAL',
  'SLACK',
  'GITHUB',
  'GITHUB_CHECK_SUITE',
  'GITHUB_PR_REVIEW',
  'LINEAR',
  'API',
  'CHAT',
  'JIRA',
  'CLICKUP',
  'MONDAY',
  'SETUP_COMMANDS',
  'GITLAB',
  'GITEA',
  'WEB',
  'CLI',
  'MCP',
  'SCHEDULE',
  'LOG_ANALYSIS',
] as const
export type SourceType = (typeof sourceTypes)[number]

export type RunIds = { organizationId: number; runId: number }
export type RunError = { code: string; message: string; retryable: boolean }

/** A pull request of a run, of any code host. */
export type RunPull = {
  id: number
  repoId: number
  title: string
  number: number
  headBranchName: string
  state: 'open' | 'closed'
  /** Where people look at it on another host; null on the built-in one. */
  url: string | null
  merged: boolean
  mergedAt: Date | null
  createdAt: Date
}

/** A run as its readers see it. */
export type Run = {
  id: number
  organizationId: number
  status: RunStatus
  statusDetail: string | null
  prompt: string
  title: string | null
  result: string | null
  summary: string | null
  /** The answer as data, where a schema was given and it fits. */
  resultJson: Json
  error: RunError | null
  /** Null where it does not wait for its code host. */
  hostWait: HostWait | null
  sourceType: SourceType
  agentType: string
  model: string | null
  metadata: JsonObject | null
  repoId: number | null
  userId: number | null
  parentRunId: number | null
  baseBranch: string | null
  branch: string | null
  createPullRequest: boolean
  timeoutMinutes: number
  maxCostUsd: number | null
  /** Whether people approve the agent's plan before it works. */
  planApproval: boolean
  /** How much its models think; null: as its repository or its organization says. */
  effort: Effort | null
  /** How often one turn may ask a model; null: as often as the operator says. */
  maxModelCalls: number | null
  /** Folders that its work tree is limited to; null: as its repository is. */
  paths: string[] | null
  turn: number
  usage: { inputTokens: number; cachedInputTokens: number; outputTokens: number; costUsd: number | null }
  archived: boolean
  revision: number
  createdAt: Date
  updatedAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  /** Fields of which only the beginning is given; none where a run is read by itself. */
  truncated: string[]
  /** How many entries its log has. */
  logTotal: number
  pulls: RunPull[]
}

/** Which pull requests are a run's: those it opened, and the one that it was told to go on with. */
export const pullsOfRun = 'p.organization_id = r.organization_id and (p.run_id = r.id or p.id = r.pull_id)'

const textColumns = ['prompt', 'result', 'summary'] as const
const isLong = (name: string) =>
  // Nothing is unpacked to count bytes, and hardly any text that is so long in bytes is not in characters.
  `octet_length(r.${name}) > ${limits.summaryCharactersMax} and length(r.${name}) > ${limits.summaryCharactersMax}`

/** Of a `Run` among many: the beginning of its long texts. */
export const runSummaryColumns = columnsOf(
  textColumns.map((name) => `left(r.${name}, ${limits.summaryCharactersMax}) as ${name}`),
  `array_remove(array[${textColumns.map((name) => `case when ${isLong(name)} then '${name}' end`).join(', ')}], null)`,
)

/** Columns of a `Run`, in its names, from `runs r join run_heads h`. */
export const runColumns = columnsOf(
  textColumns.map((name) => `r.${name}`),
  "'{}'::text[]",
)

function columnsOf(texts: string[], truncated: string): string {
  return `
  r.id, r.organization_id, h.status, h.status_detail, r.title, ${texts.join(', ')}, ${truncated} as truncated,
  r.result_json, r.max_cost_usd, r.plan_approval, r.effort, r.max_model_calls, r.paths,
  r.error, h.host_wait, r.source_type, r.agent_type, coalesce(r.model, r.model_used) as model, r.metadata, r.repo_id,
  r.user_id, r.parent_run_id, r.base_branch, r.branch,
  r.create_pull_request, r.timeout_minutes, h.turn,
  json_build_object('inputTokens', h.input_tokens, 'cachedInputTokens', h.cache_read_tokens, 'outputTokens', h.output_tokens, 'costUsd', h.cost_usd) as usage,
  r.archived_at is not null as archived, h.revision, h.next_seq - 1 as "logTotal", r.created_at, h.updated_at,
  r.started_at, r.finished_at,
  (select coalesce(json_agg(json_build_object('id', p.id, 'repoId', p.repo_id, 'title', p.title, 'number', p.number,
      'headBranchName', p.head_branch, 'state', p.state, 'url', p.url, 'merged', p.merged, 'mergedAt', p.merged_at, 'createdAt', p.created_at) order by p.id), '[]')
    from pulls p where ${pullsOfRun}) as pulls`
}

export const runTables = 'runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id'

/** A `Run` as `runColumns` selects it: JSON has no dates, so those inside `pulls` are text. */
export type RunRow = Omit<Run, 'pulls'> & { pulls: PullRow[] }
type PullRow = Omit<RunPull, 'mergedAt' | 'createdAt'> & { mergedAt: string | null; createdAt: string }

export function readRun(row: RunRow): Run {
  return { ...row, pulls: row.pulls.map(withDates) }
}

const withDates = (pull: PullRow): RunPull => ({
  ...pull,
  mergedAt: pull.mergedAt === null ? null : new Date(pull.mergedAt),
  createdAt: new Date(pull.createdAt),
})
