import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCollector, type CollectedSpan } from '#test/collector.ts'
import { makeUsage } from '#test/make-usage.ts'
import { openLogger } from '#base/logger.ts'
import { openMetrics } from './metrics.ts'
import { Secret } from '#base/secrets/secret.ts'
import { Telemetry, type ClaimedTurn } from './telemetry.ts'
import { openTraces } from './traces.ts'

const claim: ClaimedTurn = {
  organizationId: 3,
  runId: 7,
  turn: 2,
  leaseId: 'a',
  workerId: 5,
  claims: 1,
  agentType: 'builtin',
  traceparent: null,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  pickupSeconds: 0.2,
  takeoverSeconds: null,
  log: { entries: 10, bytes: 1_000 },
}

type Told = { lines: Record<string, unknown>[]; spans: CollectedSpan[]; metrics: string }

/** What is told of it all, once it is over. */
async function tell(act: (telemetry: Telemetry) => unknown): Promise<Told> {
  await using collector = await startCollector()
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => lines.push(JSON.parse(line))
  const logger = openLogger({ level: 'info', destination: { write } })
  const traces = await openTraces({ endpoint: new Secret(`${collector.url}/`), serviceName: 'test' }, logger)
  const telemetry = new Telemetry({ logger, metrics: openMetrics(), traces })
  await act(telemetry)
  await traces[Symbol.asyncDispose]()
  return { lines, spans: collector.spans, metrics: (await telemetry.metrics.read()).text }
}

test('each claim of a run is a span of the same trace, in whichever process', async () => {
  const once = await tell((telemetry) => {
    telemetry.beginTurn(claim)
    telemetry.endTurn(claim, { left: 'shutdown' })
  })
  const again = await tell((telemetry) => {
    telemetry.beginTurn({ ...claim, leaseId: 'b', workerId: 6 })
    telemetry.endTurn({ leaseId: 'b' }, { status: 'completed', code: null, log: claim.log })
  })
  const other = await tell((telemetry) => {
    telemetry.beginTurn({ ...claim, runId: 8 })
    telemetry.endTurn(claim, { left: 'lost' })
  })
  const [first, second, third] = [once, again, other].map(({ spans }) => spans[0])
  assert.equal(second?.traceId, first?.traceId)
  assert.notEqual(second?.spanId, first?.spanId)
  assert.notEqual(third?.traceId, first?.traceId)
  assert.equal(once.lines[0]?.['traceId'], first?.traceId)
  assert.equal(first?.attributes['runwright.run.left'], 'shutdown')
  assert.match(once.metrics, /runwright_turns_released_total\{reason="shutdown"\} 1/)
})

test('a sender that does not sample its trace is not sampled here either', async () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`
  const { spans, lines } = await tell(async (telemetry) => {
    telemetry.beginTurn({ ...claim, traceparent })
    await telemetry.step(claim, { kind: 'tool', request: { name: 'shell' } }, () => ({}))
    telemetry.endTurn(claim, { left: 'paused' })
  })
  assert.deepEqual(spans, [])
  assert.equal(lines[0]?.['traceId'], 'a'.repeat(32))
})

test('what fails is told by its kind, never by words that a model may have written', async () => {
  const { spans, lines, metrics } = await tell(async (telemetry) => {
    telemetry.beginTurn(claim)
    const step = {
      kind: 'tool' as const,
      request: { name: 'say the secret word', id: 'call_1', input: { word: 'plum' } },
    }
    await assert.rejects(telemetry.step(claim, step, () => Promise.reject(new TypeError('plum is not a function'))))
    telemetry.endTurn(claim, { status: 'failed', code: 'stuck', log: { entries: 12, bytes: 1_500 } })
  })
  const [tool, turn] = spans
  assert.partialDeepStrictEqual(tool, { name: 'execute_tool _OTHER', isError: true, parentSpanId: turn?.spanId })
  assert.partialDeepStrictEqual(tool?.attributes, { 'error.type': 'TypeError', 'gen_ai.tool.call.id': 'call_1' })
  assert.partialDeepStrictEqual(turn, { isError: true })
  assert.partialDeepStrictEqual(turn?.attributes, { 'error.type': 'stuck', 'runwright.run.status': 'failed' })
  assert.partialDeepStrictEqual(lines.at(-1), {
    msg: 'run finished',
    status: 'failed',
    code: 'stuck',
    runId: 7,
    turn: 2,
  })
  assert.match(metrics, /runwright_turns_ended_total\{status="failed",code="stuck"\} 1/)
  assert.match(metrics, /runwright_step_seconds_count\{kind="tool",outcome="failed"\} 1/)
  assert.match(metrics, /^runwright_log_entries_total 2$/m)
  assert.match(metrics, /^runwright_log_bytes_total 500$/m)
  assert.doesNotMatch(JSON.stringify({ spans, lines, metrics }), /plum|secret word/)
})

test('a model call is told with what it used and cost, by the names of the conventions', async () => {
  const usage = makeUsage({ inputTokens: 120, outputTokens: 30, costUsd: 0.25 })
  const { spans, metrics } = await tell(async (telemetry) => {
    telemetry.beginTurn(claim)
    await telemetry.step(claim, { kind: 'model', request: { model: 'google/gemini-9' } }, () => ({ usage }))
    // A hand-over of the conversation names no model: it is made by the same.
    await telemetry.step(claim, { kind: 'model', request: { reason: 'window' } }, () => ({ usage }))
    const odd = makeUsage({ inputTokens: Number.NaN, outputTokens: -1 })
    await telemetry.step(claim, { kind: 'model', request: {} }, () => ({ usage: odd }))
    telemetry.endTurn(claim, { left: 'paused' })
  })
  assert.deepEqual(spans[0]?.attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'gcp.gemini',
    'gen_ai.request.model': 'gemini-9',
    'gen_ai.conversation.id': '7',
    'gen_ai.usage.input_tokens': 120,
    'gen_ai.usage.output_tokens': 30,
    'runwright.cost_usd': 0.25,
  })
  assert.equal(spans[1]?.name, 'chat gemini-9')
  assert.match(metrics, /runwright_model_tokens_total\{model="google\/gemini-9",direction="input"\} 240/)
  assert.match(metrics, /runwright_model_cost_usd_total\{model="google\/gemini-9"\} 0.5/)
})

test('a collector that refuses is said once, and stops nothing', async () => {
  const lines: string[] = []
  const logger = openLogger({ level: 'warn', destination: { write: (line) => lines.push(line) } })
  await using collector = await startCollector()
  const traces = await openTraces({ endpoint: new Secret(`${collector.url}/elsewhere`), serviceName: 'test' }, logger)
  const telemetry = new Telemetry({ logger, metrics: openMetrics(), traces })
  telemetry.beginTurn(claim)
  telemetry.endTurn(claim, { left: 'shutdown' })
  const begunAt = performance.now()
  await traces[Symbol.asyncDispose]()
  assert.ok(performance.now() - begunAt < 10_000)
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    ['could not export spans'],
  )
})
