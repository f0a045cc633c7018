import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as requestHttp, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { Dialer, type DialOut } from '#adapters/codehosts/dial-out.ts'
import type { ModelConfig } from '#base/models/model-config.ts'
import { readConfig } from '#base/config/config.ts'
import type { JsonObject } from '#base/json.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { priceUsage } from '#base/models/price-usage.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { Secret } from '#base/secrets/secret.ts'
import { Telemetry } from '#base/telemetry/telemetry.ts'
import { openTraces } from '#base/telemetry/traces.ts'
import { openLogger } from '#base/logger.ts'
import { Names } from '#base/network/names.ts'
import { createModelProvider } from '#domain/repos/model-providers/create-model-provider.ts'
import { saveMemberKey } from '#domain/repos/model-providers/save-member-key.ts'
import { updateModelProvider } from '#domain/repos/model-providers/update-model-provider.ts'
import { RunRedactors } from '#domain/runs/redaction/run-redactors.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
import { updateRun } from '#domain/runs/runs/update-run.ts'
import { makeSecretBox, makeUser } from '#test/make.ts'
import { startModelServer, type ModelScript } from '#test/model-server.ts'
import { testProxies, type TestProxy } from '#test/test-proxy.ts'
import { until } from '#test/test-sandboxes.ts'
import { openModelService } from './serve-model.ts'

const { db, openSandboxProxy } = await testProxies()
const key = 'sk-real-key-that-stays-outside-0123456789'
const secretBox = makeSecretBox()
const message: string[] = []
const logger = openLogger({ level: 'debug', destination: { write: (line: string) => void message.push(line) } })
const telemetry = new Telemetry({ logger, metrics: openMetrics(), traces: await openTraces(null, logger) })
after(() =>
  assert.ok(
    ![key, ownKey, memberKey, subscription].some((one) => message.join('').includes(one)),
    'a key is in the log',
  ),
)

type Given = { privateHosts?: string[]; config?: Partial<ModelConfig>; silenceMs?: number; maxCostUsd?: number }

/** A provider that says what the script tells it, a run at work, and its proxy. */
async function openModels(
  script: ModelScript,
  { privateHosts = ['127.0.0.1'], config = {}, silenceMs, maxCostUsd }: Given = {},
) {
  const server = await startModelServer(script)
  after(() => server.close())
  const access = { apiKey: new Secret(key), baseUrl: server.url }
  const model = {
    anthropic: access,
    openai: { ...access, wire: 'chat' as const },
    google: access,
    defaultModels: [],
    allowed: undefined,
    ...config,
  }
  const dialer = new Dialer({ privateHosts, lookup: new Names({ servers: [] }).lookup })
  const app = {
    config: { ...readConfig({}, { root: '/tmp' }), model },
    pool: db,
    logger,
    telemetry,
    mask: openRedactor([]).mask,
    redactors: new RunRedactors({ db, secretBox, own: [], canaryKeys: [] }),
    sendToModel: (request: DialOut) => dialer.send(request),
  }
  const service = openModelService(app, silenceMs === undefined ? {} : { silenceMs })
  const opened = await openSandboxProxy({ services: { '/model/': service } })
  const { holder } = opened
  const update = (changes: object) => updateRun(db, { ...holder, changes })
  if (maxCostUsd !== undefined) await update({ maxCostUsd })
  const run = () => getRun(db, holder)
  return { ...opened, server, run, update, ask: (wire: Wire, more: Ask = {}) => ask(opened, wire, more) }
}

/** How the clients of each wire ask: where, with which header for the key, and what. */
const wires = {
  anthropic: {
    path: () => '/model/anthropic/v1/messages',
    header: 'x-api-key',
    body: { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  },
  chat: {
    path: () => '/model/openai/v1/chat/completions',
    header: 'authorization',
    body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] },
  },
  responses: {
    path: () => '/model/openai/v1/responses',
    header: 'authorization',
    body: { model: 'gpt-4o', input: [{ role: 'user', content: 'Hi' }] },
  },
  google: {
    path: (stream: boolean) =>
      `/model/google/v1beta/models/gemini-2.5-pro:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    header: 'x-goog-api-key',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  },
}
type Wire = keyof typeof wires
const wireNames = Object.keys(wires) as Wire[]

type Ask = {
  stream?: boolean
  token?: string | null
  path?: string
  body?: JsonObject
  headers?: Record<string, string>
  bytes?: Uint8Array
  signal?: AbortSignal
}

async function ask({ url, proxy }: TestProxy, wire: Wire, more: Ask): Promise<Response> {
  const { stream = false, token = proxy.token, path, body, headers = {}, bytes, signal } = more
  const { header, body: plain, path: pathOf } = wires[wire]
  const shown = token === null ? {} : { [header]: header === 'authorization' ? `Bearer ${token}` : token }
  const sent = { ...plain, ...(stream && wire !== 'google' && { stream }), ...body }
  return fetch(url + (path ?? pathOf(stream)), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...shown, ...headers },
    body: bytes ?? JSON.stringify(sent),
    ...(signal && { signal }),
  })
}

/** What is stored of the calls of a run, in their order. */
async function callsOf({ holder }: TestProxy) {
  const { rows } = await db.query(
    `select model, input_tokens as input, cache_read_tokens as "cacheRead", output_tokens as output, is_estimated as estimated,
       ended_at is not null as ended from model_calls where run_id = $1 order by began_at, key`,
    [holder.runId],
  )
  return rows
}
const usage = { input: 900, output: 30, cacheRead: 100 }
const long = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ')

for (const wire of wireNames) {
  // Anthropic does not count what was cached as input; the others do.
  const input = wire === 'anthropic' ? 1_000 : 900

  test(`over ${wire} an answer comes as the provider gave it, with our key, and counts as it says`, async () => {
    const models = await openModels([{ text: 'Hello there', usage }])
    const answer = await models.ask(wire, {
      headers: { cookie: 'a=b', 'openai-organization': 'other', forwarded: 'x' },
    })
    const body = await answer.text()
    assert.equal(answer.status, 200)
    assert.match(body, /Hello there/)
    assert.ok(!JSON.stringify([body, ...answer.headers]).includes(key))
    const [asked] = models.server.requests
    const report = JSON.stringify(asked?.headers)
    assert.ok(report.includes(key) && !report.includes(models.proxy.token))
    assert.doesNotMatch(report, /cookie|openai-organization|forwarded/)
    const { inputTokens, outputTokens, costUsd } = (await models.run()).usage
    assert.deepEqual([inputTokens, outputTokens], [input, 30])
    assert.ok((costUsd ?? 0) > 0.0005 && (costUsd ?? 1) < 0.01)
    assert.partialDeepStrictEqual(await callsOf(models), [{ cacheRead: 100, estimated: false, ended: true }])
  })

  test(`over ${wire} a stream comes unchanged, and counts as its end says`, async () => {
    const models = await openModels([{ text: long, usage }])
    const answer = await models.ask(wire, { stream: true })
    const body = await answer.text()
    assert.equal(answer.headers.get('content-type'), 'text/event-stream')
    for (const word of long.split(' ')) assert.ok(body.includes(word))
    assert.deepEqual(await callsOf(models), [
      { model: (await callsOf(models))[0].model, input, cacheRead: 100, output: 30, estimated: false, ended: true },
    ])
  })

  test(`over ${wire} a run that has cost what it may is told so at the next call, and asks no more`, async () => {
    const models = await openModels([{ text: 'Hi', usage: { input: 10_000, output: 1_000 } }, { text: 'Again' }], {
      maxCostUsd: 0.01,
    })
    assert.equal((await models.ask(wire)).status, 200)
    const refused = await models.ask(wire)
    assert.equal(refused.status, 402)
    assert.match(await refused.text(), /The money of this run is spent/)
    assert.equal(models.server.requests.length, 1)
    await models.proxy.spent
    assert.equal((await models.run()).statusDetail, 'budget_reached')
    await models.update({ maxCostUsd: 1 })
    assert.equal((await models.ask(wire)).status, 200)
  })

  test(`over ${wire} a stream that breaks off is broken off, and counts for what it said`, async () => {
    for (const breaks of ['cut', 'garbage'] as const) {
      const models = await openModels([{ text: long, usage, breaks }])
      const answer = await models.ask(wire, { stream: true })
      if (breaks === 'cut') await assert.rejects(answer.text())
      else await answer.text()
      await until(async () => (await callsOf(models))[0].ended, 'the call is stored')
      const [call] = await callsOf(models)
      assert.equal(call.estimated, true)
      assert.ok(call.input > 0 && call.output > 10 && call.output < 150, JSON.stringify(call))
    }
  })
}

test('a stream is passed on as it comes, and nothing waits for its end', async () => {
  const models = await openModels([{ text: long, breaks: 'stall' }])
  const leaving = new AbortController()
  const answer = await models.ask('anthropic', { stream: true, signal: leaving.signal })
  const reader = answer.body!.getReader()
  const first = await reader.read()
  assert.match(Buffer.from(first.value ?? []).toString(), /message_start/)
  assert.equal(models.server.requests[0]?.isGivenUp, false)
  leaving.abort()
  await until(() => models.server.requests[0]?.isGivenUp === true, 'the provider is left')
  await until(async () => (await callsOf(models))[0].ended, 'the call is stored')
  assert.partialDeepStrictEqual(await callsOf(models), [{ input: 1_000, estimated: true }])
})

test('who leaves before the answer begins has used it all the same', async () => {
  const models = await openModels([{ fault: 'hang' }])
  const leaving = new AbortController()
  const answer = models.ask('chat', { signal: leaving.signal })
  await until(() => models.server.requests.length === 1, 'the provider is asked')
  leaving.abort()
  await assert.rejects(answer)
  await until(() => models.server.requests[0]?.isGivenUp === true, 'the provider is left')
  await until(async () => (await callsOf(models))[0].ended, 'the call is stored')
  const [call] = await callsOf(models)
  assert.ok(call.estimated && call.input > 0 && call.output > 0)
})

test('a provider that says nothing any more is given up', async () => {
  const models = await openModels([{ text: long, breaks: 'stall' }, { fault: 'hang' }], { silenceMs: 200 })
  await assert.rejects((await models.ask('anthropic', { stream: true })).text())
  const answer = await models.ask('anthropic')
  assert.equal(answer.status, 502)
  assert.match(await answer.text(), /^\{"type":"error","error":\{"type":"api_error"/)
})

test('what a provider refuses is told as it told it, and counts nothing', async () => {
  const models = await openModels([
    { status: 429, code: 'rate_limit_error', headers: { 'retry-after': '7', 'set-cookie': 'a=b', 'x-account': key } },
    { status: 500, message: 'Broken' },
    { status: 401, message: `Incorrect API key provided: ${key}` },
  ])
  const limited = await models.ask('anthropic')
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '7'])
  assert.deepEqual([limited.headers.get('set-cookie'), limited.headers.get('x-account')], [null, null])
  assert.match(await limited.text(), /rate_limit_error/)
  const broken = await models.ask('responses')
  assert.deepEqual([broken.status, /Broken/.test(await broken.text())], [500, true])
  assert.match(await (await models.ask('google')).text(), /Incorrect API key provided: \[key\]/)
  assert.deepEqual([await callsOf(models), (await models.run()).usage.costUsd], [[], null])
})

test('a provider that cannot be reached is told of without its address', async () => {
  const models = await openModels([])
  await models.server.close()
  const answer = await models.ask('chat')
  assert.equal(answer.status, 502)
  assert.doesNotMatch(await answer.text(), /127\.0\.0\.1|ECONN/)
  assert.deepEqual(await callsOf(models), [])
})

test('without the run’s own token nothing is asked; another run’s is none', async () => {
  const models = await openModels([])
  const other = await openModels([])
  for (const token of [null, '', 'rw_x', other.proxy.token]) {
    for (const wire of wireNames) assert.equal((await models.ask(wire, { token })).status, 401)
  }
  assert.equal(models.server.requests.length, 0)
})

test('the token of a run that is not at work any more is worth nothing', async () => {
  const models = await openModels([])
  await releaseRun(db, { ...models.holder, isLost: false, mask: (words) => words })
  assert.equal((await models.ask('anthropic')).status, 401)
  assert.equal(models.server.requests.length, 0)
})

test('only what asks models is offered, and only models that may be asked', async () => {
  const models = await openModels([], { config: { google: undefined, allowed: ['anthropic/claude-*', 'openai/*'] } })
  const paths = [
    '/v1/files',
    '/v1/messages/batches',
    '/v1/models',
    '/v1/messages/../files',
    '/v2/messages',
    '/messages',
  ]
  for (const path of paths)
    assert.equal((await models.ask('anthropic', { path: `/model/anthropic${path}` })).status, 404)
  assert.equal((await models.ask('anthropic', { path: '/model/elsewhere/v1/messages' })).status, 404)
  assert.match(await (await models.ask('google')).text(), /Google is not configured/)
  assert.equal((await models.ask('anthropic', { body: { model: 'gpt-4o' } })).status, 403)
  assert.equal((await models.ask('chat', { body: { model: 'gpt-4o-search-preview' } })).status, 403)
  assert.equal((await models.ask('chat', { body: { model: ['gpt-4o'] } })).status, 400)
  const listed = await fetch(`${models.url}/model/anthropic/v1/messages`, {
    headers: { 'x-api-key': models.proxy.token },
  })
  assert.equal(listed.status, 404)
  assert.equal(models.server.requests.length, 0)
})

test('counting tokens is free, and so is nothing else', async () => {
  const models = await openModels([])
  const path = '/model/anthropic/v1/messages/count_tokens'
  // This provider has no such thing, and says so.
  assert.match(
    await (await models.ask('anthropic', { path })).text(),
    /There is nothing at \/v1\/messages\/count_tokens/,
  )
  assert.deepEqual(await callsOf(models), [])
})

test('a request may be packed, must be JSON, and has a size', async () => {
  const models = await openModels([{ text: 'Hi' }, { text: 'Hi' }])
  const bytes = gzipSync(JSON.stringify(wires.anthropic.body))
  const packed = { 'content-encoding': 'gzip' }
  assert.equal((await models.ask('anthropic', { bytes, headers: packed })).status, 200)
  assert.deepEqual(models.server.requests[0]?.body, wires.anthropic.body)
  assert.equal((await models.ask('anthropic', { bytes: Buffer.from('no'), headers: packed })).status, 400)
  assert.equal((await models.ask('anthropic', { bytes, headers: { 'content-encoding': 'br' } })).status, 415)
  assert.equal((await models.ask('anthropic', { bytes: Buffer.from('[1]') })).status, 400)
  const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20, ' '))
  assert.equal((await models.ask('anthropic', { bytes: bomb, headers: packed })).status, 413)
  assert.equal((await models.ask('anthropic')).status, 200)
})

test('twenty streams at once, each to its end', async () => {
  const models = await openModels(() => ({ text: long, usage }))
  const answers = await Promise.all(
    wireNames.flatMap((wire) => Array.from({ length: 5 }, () => models.ask(wire, { stream: true }))),
  )
  for (const answer of answers) assert.match(await answer.text(), /word39/)
  const { inputTokens, outputTokens } = (await models.run()).usage
  assert.deepEqual([inputTokens, outputTokens], [5 * 1_000 + 15 * 900, 20 * 30])
  const { text: metrics } = await telemetry.metrics.read()
  assert.match(metrics, /runwright_model_tokens_total\{model="google\/gemini-2\.5-pro",direction="input"\} \d/)
})

test('a reader that takes nothing holds the provider back', async () => {
  const megabytes = Array.from({ length: 4_000 }, () => 'x'.repeat(10_000)).join(' ')
  const models = await openModels([{ text: megabytes }])
  const { header, body } = wires.anthropic
  const request = requestHttp(`${models.url}/model/anthropic/v1/messages`, {
    method: 'POST',
    headers: { [header]: models.proxy.token },
  })
  request.end(JSON.stringify({ ...body, stream: true }))
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const [asked] = models.server.requests
  let seen = 0
  for (let same = 0; same < 10; same = asked?.eventsSent === seen ? same + 1 : 0) {
    seen = asked?.eventsSent ?? 0
    await delay(20)
  }
  assert.ok(seen < 3_000, `${seen} of 4,000 pieces were taken`)
  assert.ok((await text(answer)).length > 40_000_000)
})

test('what unfolds to gigabytes keeps nobody waiting', async () => {
  const models = await openModels(() => ({ text: 'Hi', usage }))
  const other = await openModels(() => ({ text: 'Hi', usage }))
  const bomb = gzipSync(`{"model":"gpt-4o","messages":[${'[],'.repeat(10_000_000)}0]}`)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const sendBomb = () => models.ask('chat', { bytes: bomb, headers: { 'content-encoding': 'gzip' } })
  const bombs = Array.from({ length: 6 }, async () => (await sendBomb()).status)
  assert.equal((await other.ask('chat')).status, 200)
  assert.deepEqual(await Promise.all(bombs), [400, 400, 400, 400, 400, 400])
  delay.disable()
  // It was 16 s for two of them.
  assert.ok(delay.max < 2e9, `everything stood still for ${delay.max / 1e6} ms`)
  assert.equal(models.server.requests.length, 0)
})

test('a line of an answer that is long, deep or without end is counted, and passed on as it is', async () => {
  const lines = [
    `data: ${'['.repeat(200_000)}`,
    `data: {"x":[${'[],'.repeat(400_000)}0]}`,
    'x'.repeat(300_000),
    ...Array.from({ length: 20_000 }, () => 'data: {}'),
  ]
  const message = `${lines.join('\n')}\ndata: {"usage":{"prompt_tokens":7,"completion_tokens":5}}\n\ndata: [DONE]\n`
  const provider = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(message)
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  after(() => provider.close())
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  const models = await openModels([], { config: { openai: { apiKey: new Secret(key), baseUrl, wire: 'chat' } } })
  const answer = await models.ask('chat', { stream: true })
  assert.equal((await answer.text()).length, message.length)
  assert.partialDeepStrictEqual(await callsOf(models), [{ input: 7, output: 5, estimated: false, ended: true }])
})

/** A provider that keeps its own books: what it has been asked for, and what that costs. */
function keepBooks(answer: (tokens: number) => ReturnType<Extract<ModelScript, Function>>) {
  const costs: number[] = []
  const script: ModelScript = ({ body, text: sent }) => {
    const output = Number(body['max_completion_tokens'] ?? body['max_tokens'] ?? 128_000)
    const counts = { inputTokens: Math.ceil(sent.length / 3), cacheReadTokens: 0, cacheWriteTokens: 0 }
    costs.push(priceUsage({ provider: 'openai', id: 'gpt-4o' }, { ...counts, outputTokens: output }).costUsd ?? NaN)
    return answer(output)
  }
  const sum = () => costs.reduce((total, cost) => total + cost, 0)
  return { script, sum, costliest: () => Math.max(...costs), calls: () => costs.length }
}

for (const budget of [0.05, 1]) {
  test(`of two hundred calls at once the provider counts no more than ${budget} USD and one call`, async () => {
    const books = keepBooks((output) => ({ text: 'Hi', usage: { input: 100, output } }))
    const models = await openModels(books.script, { maxCostUsd: budget })
    const content = 'word '.repeat(50)
    const body = { messages: [{ role: 'user', content }], max_completion_tokens: 50_000 }
    const answers = await Promise.all(Array.from({ length: 200 }, () => models.ask('chat', { body })))
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([200, 402]))
    assert.equal(statuses.filter((status) => status === 200).length, books.calls())
    assert.ok(books.calls() > 0 && books.sum() <= budget + books.costliest(), `${books.sum()} USD`)
    assert.ok((await models.run()).usage.costUsd! > budget * 0.9)
    assert.match(await answers.at(-1)!.text(), /goes on when its max_cost_usd is raised/)
    const { rows: report } = await db.query('select body from log_entries where run_id = $1', [models.holder.runId])
    assert.equal(report.length, 1)
    assert.match(JSON.stringify(report), /A call of a model from the sandbox was refused: .*max_cost_usd is raised/)
  })
}

test('calls that are cut off count what they may have cost, though nobody has seen their answer', async () => {
  const books = keepBooks(() => ({ fault: 'hang' }))
  const models = await openModels(books.script, { maxCostUsd: 1 })
  for (let n = 1; n <= 40; n++) {
    const leaving = new AbortController()
    const answer = models.ask('chat', { body: { max_completion_tokens: 20_000 }, signal: leaving.signal })
    let outcome: Awaited<typeof answer> | undefined
    answer.then((answered) => (outcome = answered)).catch(() => {})
    await until(() => outcome !== undefined || models.server.requests.length === n, 'it is asked or refused')
    if (outcome) {
      assert.equal(outcome.status, 402)
      break
    }
    leaving.abort()
    await assert.rejects(answer)
    await until(async () => (await callsOf(models)).every(({ ended }) => ended), 'the call is stored')
  }
  assert.ok(books.calls() >= 4 && books.sum() <= 1 + books.costliest(), `${books.sum()} USD`)
})

test('a stream that is left before it says what it used counts all that it might have written', async () => {
  const models = await openModels([{ text: long, breaks: 'stall' }], { maxCostUsd: 1 })
  const leaving = new AbortController()
  const answer = await models.ask('anthropic', { stream: true, body: { max_tokens: 9_000 }, signal: leaving.signal })
  await answer.body!.getReader().read()
  leaving.abort()
  await until(async () => (await callsOf(models))[0].ended, 'the call is stored')
  assert.partialDeepStrictEqual(await callsOf(models), [{ input: 1_000, output: 9_000, estimated: true }])
})

test('a model whose price nobody knows is not asked where money is limited, and whoever runs the service is named', async () => {
  const models = await openModels([{ text: 'Hi' }, { text: 'Hi' }], { maxCostUsd: 1 })
  const refused = await models.ask('chat', { body: { model: 'my-own-7b' } })
  assert.equal(refused.status, 403)
  assert.match(await refused.text(), /No price is known for openai\/my-own-7b.*RUNWRIGHT_MODEL_PRICES/)
  const prices = [{ model: 'openai/my-own*', inputUsd: 0, outputUsd: 0 }]
  const free = await openModels([{ text: 'Hi' }], { maxCostUsd: 1, config: { prices } })
  assert.equal((await free.ask('chat', { body: { model: 'my-own-7b' } })).status, 200)
  assert.equal((await free.run()).usage.costUsd, 0)
})

const ownKey = 'sk-organization-key-0123456789'
const memberKey = 'sk-member-key-0123456789'
const subscription = 'sk-ant-oat01-of-somebody-who-subscribes-0123456789'
const addProvider = (
  organizationId: number,
  more: Partial<Parameters<typeof createModelProvider>[2]> & { name: string },
) =>
  createModelProvider(db, secretBox, {
    organizationId,
    kind: 'openai_chat',
    baseUrl: null,
    memberKeysOnly: false,
    key: new Secret(ownKey),
    models: null,
    inputUsd: null,
    outputUsd: null,
    ...more,
  })
const chatAt = (name: string) => `/model/${name}/v1/chat/completions`

test('a subscription’s token is shown to Anthropic as one', async () => {
  await using own = await startModelServer(() => ({ text: 'Mine.' }))
  const { ask, holder } = await openModels([])
  const provider = { name: 'anthropic', kind: 'anthropic' as const, baseUrl: own.url, key: new Secret(subscription) }
  await addProvider(holder.organizationId, provider)
  const answer = await ask('anthropic', { headers: { 'anthropic-beta': 'context-1m' } })
  assert.match(await answer.text(), /Mine\./)
  const { headers } = own.requests[0]!
  assert.equal(headers.authorization, `Bearer ${subscription}`)
  assert.equal(headers['anthropic-beta'], 'context-1m,oauth-2025-04-20')
  assert.equal(headers['x-api-key'], undefined)
})

test('a program in a sandbox asks a model provider of its own organization with that one’s key, and no other organization’s', async () => {
  await using own = await startModelServer(() => ({ text: 'Mine.' }))
  const { ask, run, server, holder } = await openModels(() => ({ text: 'The operator’s.' }))
  const stranger = await openModels([])
  const { organizationId } = holder
  await addProvider(organizationId, { name: 'acme', baseUrl: own.url, models: ['llama'], inputUsd: 1, outputUsd: 2 })
  await addProvider(stranger.holder.organizationId, { name: 'theirs', baseUrl: stranger.server.url })
  const answer = await ask('chat', { path: chatAt('acme'), body: { model: 'llama' }, stream: true })
  assert.match(await answer.text(), /Mine\./)
  assert.equal(own.requests[0]?.headers.authorization, `Bearer ${ownKey}`)
  assert.equal(own.requests[0]?.body['model'], 'llama')
  const { usage } = await run()
  assert.ok((usage.costUsd ?? 0) > 0, 'its price counts')
  const { rows } = await db.query('select model from model_calls where organization_id = $1', [organizationId])
  assert.deepEqual(rows, [{ model: 'acme/llama' }])

  assert.equal((await ask('chat', { path: chatAt('acme'), body: { model: 'other' } })).status, 403)
  assert.equal((await ask('chat', { path: chatAt('theirs') })).status, 404)
  assert.equal((await ask('anthropic', { path: '/model/acme/v1/messages' })).status, 404)
  assert.equal(server.requests.length + stranger.server.requests.length, 0)

  await addProvider(organizationId, { name: 'openai', baseUrl: own.url })
  assert.match(await (await ask('chat')).text(), /Mine\./)
  assert.equal(server.requests.length, 0, 'one called as the operator’s stands in for it')
})

test('the key of whoever started the run is shown in place of the organization’s, and where members bring theirs no other one', async () => {
  await using own = await startModelServer(() => ({ text: 'Mine.' }))
  const [mine, theirs] = [await openModels([]), await openModels([])]
  const shown = () => own.requests.map(({ headers }) => headers.authorization)
  for (const { holder, ask, run } of [mine, theirs]) {
    const { organizationId } = holder
    const { id } = await addProvider(organizationId, { name: 'acme', baseUrl: own.url })
    const userId = holder === mine.holder ? (await run()).userId! : (await makeUser(db, { organizationId })).id
    const ids = { organizationId, modelProviderId: id, userId, baseUrl: own.url }
    await saveMemberKey(db, secretBox, { ...ids, key: new Secret(memberKey) })
    assert.equal((await ask('chat', { path: chatAt('acme') })).status, 200)
    await updateModelProvider(db, secretBox, { ...ids, from: own.url, changes: { memberKeysOnly: true } })
  }
  assert.deepEqual(shown(), [`Bearer ${memberKey}`, `Bearer ${ownKey}`])
  assert.equal((await mine.ask('chat', { path: chatAt('acme') })).status, 200)
  const refused = await theirs.ask('chat', { path: chatAt('acme') })
  assert.equal(refused.status, 403)
  assert.match(await refused.text(), /add yours with .*Your key/)
  assert.equal(shown().length, 3)
})

test('what an organization’s provider says of a wrong key is told without the key, and a host of the private network is not dialled', async () => {
  await using own = await startModelServer(() => ({ status: 401, message: `The key ${ownKey} is wrong.` }))
  const { ask, holder } = await openModels([], { privateHosts: [new URL(own.url).host] })
  await addProvider(holder.organizationId, { name: 'acme', baseUrl: own.url })
  const refused = await ask('chat', { path: chatAt('acme') })
  const words = await refused.text()
  assert.ok(refused.status === 401 && words.includes('[key]') && !words.includes(ownKey), words)

  const before = own.requests.length
  const closed = await openModels([], { privateHosts: [] })
  await addProvider(closed.holder.organizationId, { name: 'acme', baseUrl: own.url })
  const unreachable = await closed.ask('chat', { path: chatAt('acme') })
  assert.equal(unreachable.status, 502, await unreachable.text())
  assert.equal(own.requests.length, before)
})
