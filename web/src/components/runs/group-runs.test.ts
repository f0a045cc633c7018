import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentRun } from '@runwright/sdk'
import { formatDay } from '#ui/format.ts'
import { groupRuns } from './group-runs.ts'

const now = new Date(2026, 10, 21, 12).getTime()
const run = (id: number, status: AgentRun['status'], hoursAgo: number) =>
  ({ id, status, created_at: new Date(now - hoursAgo * 3_600_000).toISOString() }) as AgentRun

test('what needs somebody comes first, then what is running, then the rest by day; each run once', () => {
  const asking = run(1, 'waiting_for_user', 50)
  const runs = [run(5, 'completed', 1), run(4, 'in_progress', 2), run(3, 'failed', 20), run(2, 'cancelled', 70), asking]
  const groups = groupRuns(runs, { waiting: [asking, run(0, 'waiting_for_user', 900)], now })
  assert.deepEqual(
    groups.map(({ name, runs }) => [name, runs.map(({ id }) => id)]),
    [
      ['Needs you', [1, 0]],
      ['Running', [4]],
      ['Today', [5]],
      ['Yesterday', [3]],
      [formatDay(runs[3]!.created_at), [2]],
    ],
  )
})
