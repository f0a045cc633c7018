import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentRunLog, AgentRunWithLogsResponse } from './generated/api.ts'
import { pollLog, type PollLog } from './poll-log.ts'
import { RunwrightError } from './runwright-error.ts'

type Status = AgentRunWithLogsResponse['status']

const entry = (seq: number) => ({ seq }) as AgentRunLog

/** A log that grows by `growth` entries before each look, and whose run ends after `total`. */
function growingLog(total: number, growth: number) {
  const asked: number[] = []
  let length = 0
  return {
    asked,
    readPage: async (skip: number, limit: number) => {
      asked.push(skip)
      length = Math.min(total, length + growth)
      const logs = Array.from({ length: Math.max(0, Math.min(limit, length - skip)) }, (_, n) => entry(skip + n + 1))
      const status: Status = length === total ? 'completed' : 'in_progress'
      return { status, logs, total_logs: length } as AgentRunWithLogsResponse
    },
  }
}

async function collect(readPage: Parameters<typeof pollLog>[0], options: PollLog = {}) {
  const seqs: number[] = []
  const following = pollLog(readPage, { pollMs: 1, ...options })
  for (;;) {
    const { done, value } = await following.next()
    if (done) return { seqs, last: value }
    seqs.push(value.seq)
  }
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

function refusal(status: number, headers: Record<string, string> = {}) {
  return new RunwrightError(new Response('', { status, headers }), { message: 'Not now.' })
}

test('a log is followed to its end, each entry once and in order, however it grows', async () => {
  for (const [total, growth] of [
    [0, 1],
    [1, 1],
    [7, 3],
    [100, 100],
    [101, 100],
    [250, 99],
    [1_000, 1_000],
    [300, 100],
  ] as const) {
    const { readPage } = growingLog(total, growth)
    const { seqs, last } = await collect(readPage)
    assert.deepEqual(seqs, upTo(total), `${total} by ${growth}`)
    assert.equal(last.status, 'completed')
  }
})

test('what was read before is not asked for again', async () => {
  const { readPage, asked } = growingLog(12, 12)
  assert.deepEqual((await collect(readPage, { skip: 10 })).seqs, [11, 12])
  assert.deepEqual(asked, [10])
})

test('a service that is away for a moment, or busy, is asked again', async () => {
  const { readPage } = growingLog(5, 1)
  const faults = [
    refusal(503, { 'retry-after': '0' }),
    new TypeError('fetch failed'),
    refusal(429, { 'retry-after': '0' }),
    refusal(502),
  ]
  const { seqs } = await collect(async (skip, limit) => {
    const fault = faults.pop()
    if (fault) throw fault
    return readPage(skip, limit)
  })
  assert.deepEqual(seqs, upTo(5))
})

test('a service that stays away is an error in the end', async () => {
  const following = collect(() => Promise.reject(new TypeError('fetch failed')), { patienceMs: 20 })
  await assert.rejects(following, /fetch failed/)
})

test('what cannot pass is an error at once', async () => {
  let times = 0
  const following = collect(async () => {
    times++
    throw refusal(404)
  })
  await assert.rejects(following, { status: 404 })
  assert.equal(times, 1)
})

test('following can be given up', async () => {
  const stop = new AbortController()
  const following = collect(
    async () => {
      setImmediate(() => stop.abort(new Error('enough')))
      return { status: 'in_progress', logs: [] as AgentRunLog[] } as AgentRunWithLogsResponse
    },
    { signal: stop.signal, pollMs: 60_000 },
  )
  await assert.rejects(following, /enough/)
})
