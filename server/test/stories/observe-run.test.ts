import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCollector } from '#test/collector.ts'
import { startModelServer } from '#test/model-server.ts'
import { startService, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const senderSpan = '00f067aa0ba902b7'
const apiKey = 'sk-test-key-that-must-never-be-seen-0123456789'
const metricsOn = { RUNWRIGHT_METRICS: '127.0.0.1:0' }

type Line = Record<string, unknown> & { msg: string }

const linesOf = (service: Service): Line[] =>
  service
    .said()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Line] : []))

async function untilSaid(service: Service, condition: (line: Line) => boolean): Promise<Line> {
  const until = Date.now() + 60_000
  for (;;) {
    const found = linesOf(service).find(condition)
    if (found) return found
    if (Date.now() > until) throw new Error(`It was not said: ${service.said()}`)
    await sleep(20)
  }
}

/** The values of the metrics of one process, by name and labels as they stand in the text. */
async function readMetrics(url: unknown): Promise<Map<string, number>> {
  const text = await (await fetch(String(url))).text()
  const samples = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('a run can be followed from the request that made it, through its model and its tools, without a word of it', async () => {
  const db = await testDb()
  await using collector = await startCollector()
  await using model = await startModelServer([
    { text: 'I ponder the marzipan.', calls: [{ name: 'shell', input: { command: 'echo marzipan kept' } }] },
    { calls: [{ name: 'finish', input: { summary: 'The marzipan is kept.', checks: [] } }] },
  ])
  const service = await startService({
    databaseUrl: db.url,
    env: {
      ...metricsOn,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      RUNWRIGHT_LOG_LEVEL: 'trace',
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: apiKey,
    },
  })
  const metrics = await untilSaid(service, ({ msg }) => msg === 'metrics can be read')
  const at = `/v1/organizations/${service.organizationId}`
  const made = await service.ask(
    'POST',
    `${at}/agent/run`,
    { prompt: 'Keep the marzipan secret', metadata: { password: 'marzipan' } },
    { traceparent: `00-${traceId}-${senderSpan}-01` },
  )
  const { id } = (await made.json()) as { id: number }
  // One request until the end: each of many would be logged.
  const stream = await (await service.ask('GET', `${at}/agent/run/${id}/logs/stream`)).text()
  assert.match(stream, /event: end\ndata: .*"status":"completed"/)

  const spans = await collector.until((all) => all.some(({ name }) => name.startsWith('invoke_agent')))
  const named = (name: string) => {
    const found = spans.filter((span) => span.name === name)
    assert.ok(found.length, `${name} is none of ${spans.map((span) => span.name).join(', ')}`)
    return found
  }
  assert.ok(spans.every((span) => span.traceId === traceId))
  const [request] = named('POST /v1/organizations/:org_id/agent/run')
  assert.equal(request?.parentSpanId, senderSpan)
  assert.equal(request?.attributes['http.response.status_code'], 200)
  assert.equal(made.headers.get('traceresponse'), `00-${traceId}-${request?.spanId}-01`)
  const [turn] = named('invoke_agent builtin')
  assert.equal(turn?.parentSpanId, request?.spanId)
  assert.partialDeepStrictEqual(turn?.attributes, {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'builtin',
    'gen_ai.conversation.id': String(id),
    'runwright.organization.id': 1,
    'runwright.run.turn': 1,
    'runwright.run.status': 'completed',
  })
  const chats = named('chat scripted-1')
  assert.equal(chats.length, 2)
  assert.ok(chats.every((chat) => chat.parentSpanId === turn?.spanId))
  assert.partialDeepStrictEqual(chats[0]?.attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'scripted-1',
  })
  const tokens = Number(chats[0]?.attributes['gen_ai.usage.input_tokens'])
  assert.ok(tokens > 0)
  const [tool] = named('execute_tool shell')
  assert.equal(tool?.parentSpanId, turn?.spanId)
  assert.equal(tool?.attributes['gen_ai.tool.name'], 'shell')

  const seen = await readMetrics(metrics['url'])
  assert.equal(seen.get('runwright_turns_ended_total{status="completed",code=""}'), 1)
  assert.equal(seen.get('runwright_pickup_seconds_count'), 1)
  assert.equal(seen.get('runwright_step_seconds_count{kind="model",outcome="done"}'), 2)
  assert.ok(Number(seen.get('runwright_model_tokens_total{model="openai/scripted-1",direction="input"}')) >= tokens)
  const log = await service.log(id)
  assert.equal(seen.get('runwright_log_entries_total'), log.length)
  assert.ok(Number(seen.get('runwright_log_bytes_total')) > 100)
  assert.equal(seen.get('runwright_stream_entries_total'), log.length)
  assert.equal(seen.get('runwright_runs{status="in_progress"}'), 0)
  assert.equal(seen.get('runwright_worker_slots'), 2)
  assert.equal(seen.get('runwright_sandboxes'), 0)
  const created = '{le="+Inf",method="POST",route="/v1/organizations/:org_id/agent/run",status="200"}'
  assert.equal(seen.get(`runwright_http_request_seconds_bucket${created}`), 1)

  const lines = linesOf(service)
  const ofRun = lines.filter(({ runId }) => runId === id)
  assert.deepEqual(
    ofRun.filter(({ level }) => level === 'info').map(({ msg }) => msg),
    ['run claimed', 'run finished'],
  )
  for (const line of ofRun)
    assert.partialDeepStrictEqual(line, { organizationId: 1, runId: id, turn: 1, traceId }, JSON.stringify(line))
  assert.partialDeepStrictEqual(ofRun.at(-1), { status: 'completed', code: null })
  assert.ok(lines.some(({ msg, route }) => msg === 'request' && route === '/v1/organizations/:org_id/agent/run'))
  for (const secret of ['marzipan', apiKey, service.token, 'ponder'])
    for (const [where, text] of [
      ['log', service.said()],
      ['traces', collector.text()],
      ['metrics', [...seen.keys()].join('\n')],
    ])
      assert.ok(!text?.includes(secret), `the ${where} says ${secret}`)
})

test('a run whose worker is killed goes on in the same trace, and how long that took is measured', async () => {
  const db = await testDb()
  await using collector = await startCollector()
  const service = await startService({
    databaseUrl: db.url,
    role: 'api',
    env: { ...metricsOn, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  const workers = [await service.startWorker(), await service.startWorker()]
  const script = [{ sleep_ms: 1 }, { sleep_ms: 500, repeat: 14 }, { answer: 'Slept.' }]
  const { id } = await service.play(script, { prompt: 'Sleep' })
  const claimed = await untilSaid(service, ({ msg, runId }) => msg === 'run claimed' && runId === id)
  const [, tool] = await collector.until(
    (spans) => spans.filter(({ name }) => name === 'execute_tool sleep').length >= 2,
  )
  assert.equal(tool?.traceId, claimed['traceId'])
  await killHolder(service, workers, claimed['workerId'])
  const takenOver = await untilSaid(service, ({ msg, runId }) => msg === 'run taken over' && runId === id)
  assert.notEqual(takenOver['workerId'], claimed['workerId'])
  assert.equal(takenOver['traceId'], claimed['traceId'])
  assert.equal((await service.untilEnded(id)).status, 'completed', service.said())
  const spans = await collector.until((all) => all.some(({ name }) => name.startsWith('invoke_agent')))
  const turn = spans.find(({ name }) => name.startsWith('invoke_agent'))
  assert.partialDeepStrictEqual(turn, { traceId: claimed['traceId'], parentSpanId: undefined })
  assert.equal(turn?.attributes['runwright.worker.id'], takenOver['workerId'])

  const urls = linesOf(service).filter(({ msg }) => msg === 'metrics can be read')
  const all = await Promise.all(urls.map(({ url }) => readMetrics(url).catch(() => new Map<string, number>())))
  const seen = all.find((metrics) => metrics.get('runwright_takeover_seconds_count') === 1)
  assert.ok(seen, 'one of the processes has measured the takeover')
  const seconds = Number(seen.get('runwright_takeover_seconds_sum'))
  assert.ok(seconds > 0 && seconds < 8, `${seconds} s`)
  assert.ok(Number(seen.get('runwright_lease_age_seconds')) < 6)
})

async function killHolder(service: Service, workers: ChildProcess[], workerId: unknown): Promise<void> {
  const began = await untilSaid(service, (line) => line.msg === 'worker began' && line['workerId'] === workerId)
  const holder = workers.find(({ pid }) => String(began['name']).includes(`-${pid}-`))
  assert.ok(holder)
  holder.kill('SIGKILL')
}
