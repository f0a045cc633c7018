import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followLog, type FollowLog, type LogSource } from './follow-log.ts'
import type { AgentRunWithLogsResponse } from './generated/api.ts'
import { StreamSilent, type ServerEvent } from './read-events.ts'
import { RunwrightError } from './runwright-error.ts'

const total = 20
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)
const status = (word: string): ServerEvent => ({
  event: 'status',
  id: null,
  data: JSON.stringify({ id: 1, status: word }),
})
const refusal = (code: number, headers: Record<string, string> = {}) =>
  new RunwrightError(new Response('', { status: code, headers }), { message: 'Not now.' })

async function readPage(skip: number): Promise<AgentRunWithLogsResponse> {
  const logs = upTo(total)
    .slice(skip)
    .map((seq) => ({ seq }))
  return { status: 'completed', logs, total_logs: total } as AgentRunWithLogsResponse
}

/** Streams of a run with 20 entries, each cut after so many events or broken by such an error; the last one is whole. */
function streamsOf(faults: (number | Error)[]) {
  const asked: number[] = []
  const openStream: LogSource['openStream'] = async (after) => {
    asked.push(after)
    const fault = faults.shift()
    if (fault instanceof Error) throw fault
    return (async function* () {
      yield status('in_progress')
      for (const seq of upTo(total).slice(after, fault === undefined ? total : after + fault))
        yield { event: 'log', id: String(seq), data: JSON.stringify({ seq }) }
      if (fault === undefined) yield { event: 'end', id: null, data: '{}' }
    })()
  }
  return { asked, openStream }
}

async function collect(source: LogSource, options: FollowLog = {}) {
  const following = followLog(source, { pollMs: 1, ...options })
  const seqs: number[] = []
  for (;;) {
    const { done, value } = await following.next()
    if (done) return { seqs, last: value }
    seqs.push(value.seq)
  }
}

test('a stream is followed to its end, and taken up where it was cut', async () => {
  const { asked, openStream } = streamsOf([3, new TypeError('fetch failed'), 0, refusal(503), 5])
  const { seqs, last } = await collect({ readPage, openStream })
  assert.deepEqual(seqs, upTo(total))
  assert.deepEqual(asked, [0, 3, 3, 3, 3, 8])
  assert.equal(last.status, 'completed')
})

test('what was read before is left out', async () => {
  const { asked, openStream } = streamsOf([])
  assert.deepEqual((await collect({ readPage, openStream }, { skip: 18 })).seqs, [19, 20])
  assert.deepEqual(asked, [18])
})

test('a run that ended there is at its end', async () => {
  const { seqs, last } = await collect({ readPage, openStream: async () => null }, { skip: total })
  assert.deepEqual([seqs, last.status], [[], 'completed'])
})

test('where there can be no stream, the log is asked for page by page', async () => {
  for (const fault of [refusal(404), refusal(406), new StreamSilent('held back')]) {
    const { seqs } = await collect({ readPage, openStream: () => Promise.reject(fault) })
    assert.deepEqual(seqs, upTo(total))
  }
})

test('how the run stands, and what its tool prints, is told on the way', async () => {
  const report: unknown[] = []
  const openStream = async function (): Promise<AsyncIterable<ServerEvent>> {
    return (async function* () {
      yield status('in_progress')
      yield { event: 'progress', id: null, data: '{"output":"half way"}' }
      yield { event: 'end', id: null, data: '{}' }
    })()
  }
  const onStatus = (run: object) => report.push(run)
  const onProgress = (progress: object) => report.push(progress)
  await collect({ readPage, openStream }, { onStatus, onProgress })
  assert.deepEqual(report, [{ id: 1, status: 'in_progress' }, { output: 'half way' }])
})

test('what cannot pass is an error at once, and what stays away is one in the end', async () => {
  const following = (fault: Error) => collect({ readPage, openStream: () => Promise.reject(fault) }, { patienceMs: 20 })
  await assert.rejects(following(refusal(403)), { status: 403 })
  await assert.rejects(following(new TypeError('fetch failed')), /fetch failed/)
})

test('who follows is told when the stream breaks off and when it is back', async () => {
  const { openStream } = streamsOf([3, new TypeError('fetch failed'), refusal(503), 5])
  const report: (boolean | number)[] = []
  const following = followLog({ readPage, openStream }, { pollMs: 1, onConnection: (isThere) => report.push(isThere) })
  for await (const { seq } of following) report.push(seq)
  assert.deepEqual(report, [true, ...upTo(3), false, true, ...upTo(8).slice(3), false, true, ...upTo(20).slice(8)])
})
