import { setTimeout as sleep } from 'node:timers/promises'
import type { Comparison, Contestant } from '@runwright/sdk'
import type { Settings } from './settings.ts'
import type { Task } from './read-tasks.ts'
import { takeRepository } from './take-repository.ts'

/** What takes part in a league. */
export type Entrant = { engine: string | undefined; model: string | undefined }

/** One run of a league. */
export type LeagueRun = {
  task: string
  contestant: string
  run_id: number
  web_url: string
  status: string
  solved: boolean
  seconds: number | null
  cost_usd: number | null
  tokens: number
}

export type RunTask = { organizationId: number; task: Task; entrants: readonly Entrant[]; times: number }

/** As many runs as one comparison may have. */
const runsMax = 8
const pauseMs = 500
const pauseMsMax = 3_000

/** Has each entrant do a task so many times, and answers each run once all are judged. */
export async function runTask(
  settings: Settings,
  { organizationId, task, entrants, times }: RunTask,
): Promise<LeagueRun[]> {
  const repoId = await takeRepository(settings, organizationId, task)
  const all = entrants.flatMap((entrant) => Array.from({ length: times }, () => entrant))
  const runs: LeagueRun[] = []
  for (const some of inParts(all)) {
    const started = await settings.client.comparisons.createComparison({
      org_id: organizationId,
      repo_id: repoId,
      title: `League: ${task.name}`,
      prompt: task.prompt,
      ...(task.timeoutMinutes !== undefined && { timeout_minutes: task.timeoutMinutes }),
      ...(task.maxCostUsd !== undefined && { max_cost_usd: task.maxCostUsd }),
      ...(task.maxModelCalls !== undefined && { max_model_calls: task.maxModelCalls }),
      judges: [{ name: 'hidden tests', command: task.judge, timeout_seconds: task.judgeSeconds }],
      judge_files: task.hidden.map(({ path, bytes }) => ({ path, content: bytes.toString('base64') })),
      contestants: some.map((entrant) => ({
        name: nameOf(entrant),
        ...(entrant.engine !== undefined && { agent_type: entrant.engine }),
        ...(entrant.model !== undefined && { model: entrant.model }),
      })),
    })
    const ended = await untilDecided(settings, organizationId, started)
    runs.push(...ended.contestants.map((contestant) => resultOf(task, contestant)))
  }
  return runs
}

const nameOf = ({ engine, model }: Entrant): string => [engine ?? 'default', model].filter(Boolean).join(' ')

/** Of sizes that differ by one at most, so that none is too small to be compared. */
function inParts<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / runsMax)
  return Array.from({ length: count }, (_, n) =>
    all.slice(Math.round((n * all.length) / count), Math.round(((n + 1) * all.length) / count)),
  )
}

async function untilDecided({ client }: Settings, organizationId: number, started: Comparison): Promise<Comparison> {
  const ids = { org_id: organizationId, comparison_id: started.id }
  let comparison = started
  for (let ms = pauseMs; isOpen(comparison); ms = Math.min(ms * 1.5, pauseMsMax)) {
    await sleep(ms)
    comparison = await client.comparisons.getComparison(ids)
    if (waitsForPeople(comparison)) comparison = await client.comparisons.cancelComparison(ids)
  }
  return comparison
}

const isOpen = ({ contestants }: Comparison) => contestants.some(({ outcome }) => outcome === 'open')

/** Nobody answers questions or raises budgets in a league. */
function waitsForPeople({ contestants }: Comparison): boolean {
  const open = contestants.filter(({ outcome }) => outcome === 'open')
  return open.length > 0 && open.every(({ status }) => status === 'paused' || status === 'waiting_for_user')
}

function resultOf(task: Task, contestant: Contestant): LeagueRun {
  const { started_at: from, finished_at: to, usage } = contestant
  return {
    task: task.name,
    contestant: contestant.name,
    run_id: contestant.run_id,
    web_url: contestant.web_url,
    status: contestant.status,
    solved: contestant.outcome === 'passed',
    seconds: from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1_000,
    cost_usd: usage.cost_usd,
    tokens: usage.input_tokens + usage.output_tokens,
  }
}
