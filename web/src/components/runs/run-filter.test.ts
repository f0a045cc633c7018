import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRunsSearch } from '#base/search.ts'
import { filterWords, toFilter } from './run-filter.ts'

const now = new Date(2026, 2, 10, 15, 30)
const names = { person: () => 'Ada', repo: () => 'ledger' }

test('what stands in the address is what the API is asked for', () => {
  const search = readRunsSearch({ status: 'failed', person: 3, engine: 'repair', repo: 2, since: 'week', nonsense: 1 })
  assert.deepEqual(toFilter(search, { myId: 7, now }), {
    status: ['failed'],
    user_id: 3,
    repo_id: 2,
    agent_type: 'repair',
    created_after: new Date(2026, 2, 3).toISOString(),
  })
  const dates = readRunsSearch({ show: 'mine', from: '2026-03-01', to: '2026-03-02', archived: true })
  assert.deepEqual(toFilter(dates, { myId: 7, now }), {
    user_id: 7,
    created_after: new Date(2026, 2, 1).toISOString(),
    created_before: new Date(2026, 2, 3).toISOString(),
    archived: true,
  })
  assert.deepEqual(readRunsSearch({ status: 'broken', from: 'yesterday', archived: 'yes' }), {})
})

test('each filter is told in words, and names what it takes to remove it', () => {
  const search = readRunsSearch({ status: 'failed', person: 3, repo: 2, since: 'month', show: 'ended' })
  assert.deepEqual(filterWords(search, names), [
    { keys: ['status'], words: 'Failed' },
    { keys: ['person'], words: 'By Ada' },
    { keys: ['repo'], words: 'In ledger' },
    { keys: ['since'], words: 'Last 30 days' },
  ])
})
