import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Comparison, Contestant, Verdict } from './comparison.ts'
import { rankContestants } from './rank-contestants.ts'

const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 1 }
const begun = new Date('2026-01-01T00:00:00Z')
const after = (seconds: number) => new Date(begun.getTime() + seconds * 1_000)

const verdict = (conclusion: Verdict['conclusion']): Verdict => ({
  id: 1,
  runId: 1,
  name: 'test',
  exitCode: 0,
  durationMs: 1,
  summary: '',
  hasLog: true,
  conclusion,
  status: conclusion === null ? 'queued' : 'completed',
})

function rank(contestants: Partial<Contestant>[], { judges = 1 } = {}) {
  const known = { status: 'completed', head: 'a', commit: 'a', startedAt: begun, finishedAt: after(60), usage } as const
  const made = contestants.map((one, index) => ({ ...known, verdicts: [verdict('success')], ...one, n: index + 1 }))
  const comparison = { contestants: made, judges: Array.from({ length: judges }) } as unknown as Comparison
  return [...rankContestants(comparison).values()].map(({ outcome, rank }) => `${outcome} ${rank}`)
}

const costing = (costUsd: number | null) => ({ usage: { ...usage, costUsd } })

test('who passed all judges comes before who did not, whatever that cost', () => {
  const failed = { verdicts: [verdict('failure')], ...costing(0) }
  assert.deepEqual(rank([failed, costing(5)]), ['failed 2', 'passed 1'])
  assert.deepEqual(rank([failed, { ...costing(2), verdicts: [verdict('timed_out')] }]), ['failed 1', 'failed 2'])
})

test('then what cost less comes first, then what took less time; an unknown price comes last', () => {
  assert.deepEqual(rank([costing(null), costing(2), costing(1)]), ['passed 3', 'passed 2', 'passed 1'])
  assert.deepEqual(rank([{ finishedAt: after(90) }, { finishedAt: after(30) }]), ['passed 2', 'passed 1'])
})

test('a tie is a tie', () => {
  assert.deepEqual(rank([costing(1), costing(1), costing(2)]), ['passed 1', 'passed 1', 'passed 3'])
  assert.deepEqual(rank([costing(null), costing(null)]), ['passed 1', 'passed 1'])
})

test('what has not ended has no rank, and nor has what is still to be judged', () => {
  const open = ['open null', 'passed 1']
  assert.deepEqual(rank([{ status: 'in_progress' }, {}]), open)
  assert.deepEqual(rank([{ commit: null }, {}]), open)
  assert.deepEqual(rank([{ verdicts: [verdict(null)] }, {}]), open)
  assert.deepEqual(rank([{ head: 'b' }, {}]), open)
})

test('a run that did not complete has failed, and so has one that changed nothing where there are judges', () => {
  for (const status of ['failed', 'cancelled'] as const) assert.deepEqual(rank([{ status }]), ['failed 1'])
  assert.deepEqual(rank([{ head: null, commit: null, verdicts: [] }]), ['failed 1'])
  assert.deepEqual(rank([{ head: null, commit: null, verdicts: [] }], { judges: 0 }), ['passed 1'])
})
