import { AppError } from '#base/errors.ts'
import type { JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import type { Effort } from '#base/models/effort.ts'
import { namedStatement } from '#db/named-statement.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordBlobs } from '#domain/runs/blobs/record-blobs.ts'
import { usedUp } from '#domain/runs/budgets/require-money.ts'
import { imagesJson, type AppendMessage } from '#domain/runs/messages/append-message.ts'
import type { Asker, MessageEntry } from '#domain/runs/messages/message.ts'
import { findLackingIsolation } from '#domain/runs/sandboxes/find-lacking-isolation.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run, SourceType } from '#domain/runs/run.ts'
import type { RunTask } from '#domain/runs/run-task.ts'
import { wakeChannel } from '#domain/accounts/organizations/wake-workers.ts'

export type CreateRun = {
  organizationId: number
  userId: number
  sourceType: SourceType
  agentType: string
  prompt: string
  repoId?: number | null
  metadata?: JsonObject | null
  model?: string | null
  /** How much its models think; null: as its repository or its organization says. */
  effort?: Effort | null
  /** How often one turn may ask a model; null: as often as the operator says. */
  maxModelCalls?: number | null
  title?: string | null
  baseBranch?: string | null
  /** To which folders its work tree is limited; null: as its repository says. */
  paths?: string[] | null
  /** Null: as the organization's setting says. */
  createPullRequest?: boolean | null
  timeoutMinutes?: number | null
  parentRunId?: number | null
  /** Where the agent of its parent starts it: by which step, and the run at the top of their family. */
  child?: { key: string; rootRunId: number } | null
  maxCostUsd?: number | null
  planApproval?: boolean
  outputSchema?: JsonObject | null
  images?: AppendMessage['images']
  /** One that exists, to go on with; then `baseBranch` is given too, and the commit that it is at. */
  branch?: string | null
  baseCommit?: string | null
  /** A pull request to go on with; its branch is `branch`. */
  pullId?: number | null
  /** Of the request that brings it about: its turns are part of that trace. */
  traceparent?: string | null
  task?: RunTask | null
  /** How the log shows the prompt, where it is not as a USER_MESSAGE. */
  entry?: MessageEntry | undefined
  /** What the agent is told in place of the prompt, which people are shown. */
  brief?: string | undefined
  /** Who asks for it on a code host elsewhere. */
  asker?: Asker | undefined
}

const titleCharactersMax = 80

/**
 * Accepts a run: it, its head and its first message in one statement, so that a run that was answered for is there
 * whatever happens next. Throws `repo_not_found`, `run_not_found` (of the parent), `budget_reached`, `sandbox_too_weak`.
 */
export async function createRun(db: Db, request: CreateRun): Promise<Run> {
  const { organizationId, images = [] } = request
  if (!images.length) return insertRun(db, request)
  return inTransaction(db, async (tx) => {
    await recordBlobs(tx, { organizationId, blobs: images })
    return insertRun(tx, request)
  })
}

async function insertRun(db: Db, request: CreateRun): Promise<Run> {
  const run = {
    organizationId: request.organizationId,
    userId: request.userId,
    repoId: request.repoId ?? null,
    sourceType: request.sourceType,
    agentType: request.agentType,
    model: request.model ?? null,
    effort: request.effort ?? null,
    maxModelCalls: request.maxModelCalls ?? null,
    prompt: request.prompt,
    metadata: request.metadata ?? null,
    title: request.title ?? titleOf(request.prompt),
    baseBranch: request.baseBranch ?? null,
    timeoutMinutes: request.timeoutMinutes ?? limits.runMinutesDefault,
    parentRunId: request.parentRunId ?? null,
    maxCostUsd: request.maxCostUsd ?? null,
    planApproval: request.planApproval ?? false,
    branch: request.branch ?? null,
    paths: request.paths ?? null,
  }
  const values = insertion.bind({
    ...run,
    metadata: jsonOf(run.metadata),
    createPullRequest: request.createPullRequest ?? null,
    outputSchema: jsonOf(request.outputSchema),
    pullId: request.pullId ?? null,
    images: imagesJson(request.images ?? []),
    baseCommit: request.baseCommit ?? null,
    traceparent: request.traceparent ?? null,
    task: jsonOf(request.task),
    entry: jsonOf(shownEntry(request)),
    asker: jsonOf(request.asker),
    brief: request.brief ?? null,
    childKey: request.child?.key ?? null,
    rootRunId: request.child?.rootRunId ?? null,
    wakeChannel,
  })
  const made = await maybeOne<Made>(db, insertion, values)
  if (!made) throw await whyNot(db, request)
  // One on a branch that exists may have that branch's pull request already.
  if (run.branch) return getRun(db, { organizationId: run.organizationId, runId: made.id })
  // A new run is known without being read again: reading it would double what creating one costs.
  const { id, createdAt, createPullRequest, statusDetail } = made
  return { ...newRun, ...run, id, createdAt, updatedAt: createdAt, createPullRequest, statusDetail }
}

const jsonOf = (value: object | null | undefined) => (value ? JSON.stringify(value) : null)

/** A brief is for the agent alone. */
function shownEntry({ entry, brief, prompt }: CreateRun): MessageEntry | undefined {
  return entry ?? (brief === undefined ? undefined : { messageType: 'USER_MESSAGE', observation: prompt })
}

type Made = Pick<Run, 'id' | 'createdAt' | 'createPullRequest' | 'statusDetail'>

/** What every run is at first; the defaults of its columns. */
const newRun = {
  status: 'queued',
  result: null,
  summary: null,
  resultJson: null,
  error: null,
  hostWait: null,
  turn: 1,
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: null },
  archived: false,
  revision: 1,
  startedAt: null,
  finishedAt: null,
  truncated: [],
  logTotal: 0,
  pulls: [],
} satisfies Partial<Run>

/** Values of the columns, JSON as text. */
type Insertion = Omit<
  Required<CreateRun>,
  'metadata' | 'outputSchema' | 'task' | 'entry' | 'asker' | 'images' | 'brief' | 'child'
> & {
  metadata: string | null
  outputSchema: string | null
  task: string | null
  entry: string | null
  asker: string | null
  images: string
  brief: string | null
  childKey: string | null
  rootRunId: number | null
  wakeChannel: string
}

const insertion = namedStatement<Insertion>(
  'create-run',
  `
  with run as (
    insert into runs (organization_id, user_id, repo_id, source_type, agent_type, model, prompt, metadata, title, base_branch,
      create_pull_request, timeout_minutes, parent_run_id, max_cost_usd, plan_approval, output_schema, branch, pull_id, base_commit,
      traceparent, task, paths, child_key, root_run_id, effort, max_model_calls)
    select o.id, :userId, :repoId, :sourceType, :agentType, :model, :prompt, :metadata, :title, :baseBranch,
      coalesce(:createPullRequest, (o.settings->>'enable_pr_creation')::boolean, true), :timeoutMinutes, :parentRunId, :maxCostUsd,
      :planApproval, :outputSchema, :branch,
      coalesce(:pullId, (select max(id) from pulls
        where organization_id = :organizationId and repo_id = :repoId and head_branch = :branch and state = 'open' and not is_from_fork)),
      :baseCommit, :traceparent, :task, :paths, :childKey, :rootRunId, :effort, :maxModelCalls
    from organizations o
    where o.id = :organizationId
      and (:repoId::bigint is null
        or exists (select from repos where organization_id = :organizationId and id = :repoId and not archived
          and is_repo_connected(organization_id, host, integration_id)))
      and (:parentRunId::bigint is null or exists (select from run_heads where organization_id = :organizationId and run_id = :parentRunId))
      and used_up_budget(:organizationId, :userId, :repoId) is null
      and (o.settings->'sandbox_require' is null
        or lacking_walls(o.settings->'sandbox_require', o.id, labels_wanted(:organizationId, :repoId)) is null)
    returning id, created_at, create_pull_request),
  wait as (select labels, wait_reason(:organizationId, labels) as reason from labels_wanted(:organizationId, :repoId) as labels),
  head as (
    insert into run_heads (organization_id, run_id, status_detail, labels)
    select :organizationId, id, reason, labels from run, wait
    returning status_detail),
  message as (
    insert into messages (organization_id, run_id, n, turn, body, author_id, images, entry, asker)
    select :organizationId, id, 1, 1, coalesce(:brief, :prompt), :userId, :images, :entry, :asker from run)
  select id, created_at, create_pull_request, status_detail,
    pg_notify(:wakeChannel, '{"queued":true}') from run, head`,
)

async function whyNot(db: Db, run: CreateRun): Promise<AppError> {
  const lack = await findLackingIsolation(db, run)
  if (lack) return new AppError('sandbox_too_weak', { message: lack })
  const { organizationId, userId, repoId = null } = run
  const repo = await maybeOne<{ archived: boolean; name: string; isConnected: boolean }>(
    db,
    `select archived, name, is_repo_connected(organization_id, host, integration_id) as "isConnected"
     from repos where organization_id = $1 and id = $2 and removed_at is null`,
    [organizationId, repoId],
  )
  if (repo?.archived) return new AppError('conflict', { message: `Repository ${repoId} is archived.` })
  if (repo && !repo.isConnected) return new AppError('conflict', { message: notConnected(repo.name) })
  if (repoId !== null && !repo)
    return new AppError('repo_not_found', { message: `There is no repository ${repoId} in this organization.` })
  const spent = await maybeOne<{ budgetId: number }>(
    db,
    'select id as "budgetId" from used_up_budget($1, $2, $3) as id where id is not null',
    [organizationId, userId, repoId],
  )
  if (spent) return usedUp(db, { organizationId, ...spent })
  return new AppError('run_not_found', { message: `The parent run ${run.parentRunId} does not exist.` })
}

const notConnected = (name: string) =>
  `${name} is not connected: its code host is disconnected, switched off, or does not let Runwright in. The code hosts on the Repositories page say what to do.`

/** The first line of a prompt, cut at a word. */
export function titleOf(prompt: string): string {
  const line = prompt.trim().split(/\r?\n/, 1)[0]?.trim() ?? ''
  const characters = [...line]
  if (characters.length <= titleCharactersMax) return line
  const cut = characters.slice(0, titleCharactersMax - 2).join('')
  return `${cut.replace(/\s\S*$/, '').trimEnd() || cut} …`
}
