import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeagueRun } from './run-task.ts'
import { summarizeLeague, wilson } from './summarize-league.ts'

const rounded = ({ low, high }: { low: number; high: number }) => [low.toFixed(3), high.toFixed(3)]

test('the interval is that of Wilson, and stays within 0 and 1', () => {
  // As in tables of it.
  assert.deepEqual(rounded(wilson(8, 10)), ['0.490', '0.943'])
  assert.deepEqual(rounded(wilson(0, 10)), ['0.000', '0.278'])
  assert.deepEqual(rounded(wilson(10, 10)), ['0.722', '1.000'])
  assert.deepEqual(rounded(wilson(1, 1)), ['0.207', '1.000'])
  assert.deepEqual(rounded(wilson(0, 0)), ['0.000', '1.000'])
})

test('each contestant has its share, and medians of what is known', () => {
  const run = (contestant: string, solved: boolean, seconds: number | null): LeagueRun => ({
    task: 'one',
    contestant,
    run_id: 1,
    web_url: '',
    status: 'completed',
    solved,
    seconds,
    cost_usd: null,
    tokens: 10,
  })
  const standings = summarizeLeague([run('slow', false, 9), run('quick', true, 1), run('quick', true, 2), run('quick', false, null)]) // prettier-ignore
  assert.partialDeepStrictEqual(standings, [
    { contestant: 'quick', solved: 2, runs: 3, median_seconds: 1.5, median_cost_usd: null, median_tokens: 10 },
    { contestant: 'slow', solved: 0, runs: 1, median_seconds: 9 },
  ])
})
