import type { AgentRun } from '@runwright/sdk'
import { formatDay } from '#ui/format.ts'
import { hasEnded } from '#base/status.ts'

export type RunsOfGroup = { name: string; runs: AgentRun[] }

const dayMs = 86_400_000

/** Runs that need somebody, then those that are running, then the rest by day. `waiting` may lie beyond the loaded part of the list. */
export function groupRuns(runs: AgentRun[], { waiting, now }: { waiting: AgentRun[]; now: number }): RunsOfGroup[] {
  const groups = new Map<string, AgentRun[]>()
  const seen = new Set<number>()
  const needing = [...runs.filter(({ status }) => status === 'waiting_for_user'), ...waiting]
  const working = runs.filter(({ status }) => !hasEnded(status) && status !== 'waiting_for_user')
  const put = (name: string, run: AgentRun) => {
    if (seen.has(run.id)) return
    seen.add(run.id)
    groups.set(name, [...(groups.get(name) ?? []), run])
  }
  for (const run of needing) put('Needs you', run)
  for (const run of working) put('Running', run)
  for (const run of runs) put(dayOf(run.created_at, now), run)
  return [...groups].map(([name, runs]) => ({ name, runs }))
}

function dayOf(at: string, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  const time = Date.parse(at)
  if (time >= midnight) return 'Today'
  if (time >= midnight - dayMs) return 'Yesterday'
  return formatDay(at)
}
