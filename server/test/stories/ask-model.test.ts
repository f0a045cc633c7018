import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startModelServer, type ModelScript } from '#test/model-server.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const key = 'sk-real-key-that-stays-outside-0123456789'
let script: Exclude<ModelScript, unknown[]> = () => ({ text: 'Hello from the model' })
const model = await startModelServer((request, number) => script(request, number))
after(() => model.close())
const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  env: {
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: model.url,
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${model.url}/v1`,
    GOOGLE_GENERATIVE_AI_API_KEY: key,
    GOOGLE_BASE_URL: model.url,
  },
})
const at = `/v1/organizations/${service.organizationId}`

/** A run that writes this program into its sandbox, and has it run there. */
async function run(program: string, more: object = {}) {
  const script = [{ write: { path: 'agent.mjs', content: program } }, { shell: 'node agent.mjs' }, { answer: 'done' }]
  const body = { prompt: 'Ask', agent_type: 'scripted', metadata: { script }, ...more }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}
const seen = async (id: number) => JSON.stringify(await service.log(id))

/** How the official clients of the four wires send what they send. */
const clients = `
const base = process.env.RUNWRIGHT_MODEL_URL, token = process.env.RUNWRIGHT_RUN_TOKEN
const user = { role: 'user', content: 'Hi' }
const asks = {
  anthropic: ['/anthropic/v1/messages?beta=true', { 'x-api-key': token, 'anthropic-version': '2023-06-01' },
    { model: 'claude-sonnet-4-5', max_tokens: 64, messages: [user] }],
  chat: ['/openai/v1/chat/completions', { authorization: 'Bearer ' + token }, { model: 'gpt-4o', messages: [user] }],
  responses: ['/openai/v1/responses', { authorization: 'Bearer ' + token }, { model: 'gpt-4o', input: [user], store: false }],
  google: ['/google/v1beta/models/gemini-2.5-pro:generateContent', { 'x-goog-api-key': token },
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
}
async function ask(wire, stream) {
  const [path, headers, body] = asks[wire]
  const google = stream && wire === 'google'
  const response = await fetch(base + (google ? path.replace(':generateContent', ':streamGenerateContent?alt=sse') : path), {
    method: 'POST', headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(stream && !google ? { ...body, stream } : body),
  })
  return { status: response.status, text: await response.text(), headers: [...response.headers] }
}
`

test('programs in a sandbox ask models over each wire, whole and streamed, and never see the key', async () => {
  const id = await run(`${clients}
    for (const wire of Object.keys(asks)) for (const stream of [false, true]) {
      const { status, text, headers } = await ask(wire, stream)
      console.log(wire, stream, status, ['Hello ', 'from ', 'the ', 'model'].every((word) => text.includes(word.trim())))
      console.log(JSON.stringify(headers))
    }
    console.log(JSON.stringify(process.env))`)
  const ended = await service.untilEnded(id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error) + service.said())
  const report = await seen(id)
  for (const wire of ['anthropic', 'chat', 'responses', 'google'])
    for (const stream of [false, true])
      assert.ok(report.includes(`${wire} ${stream} 200 true`), `${wire} ${stream}: ${report}`)
  assert.deepEqual(ended['usage'], { ...(ended['usage'] as object), input_tokens: 8 * 1_000, output_tokens: 8 * 50 })
  assert.ok(model.requests.every(({ headers }) => JSON.stringify(headers).includes(key)))
  assert.ok(!(report + service.said() + JSON.stringify(ended)).includes(key))
  const { items } = await service.call<{ items: object[] }>('GET', `${at}/usage?group_by=model&group_by=engine`)
  assert.equal(items.length, 3)
  assert.partialDeepStrictEqual(
    items.find((sum) => 'model' in sum && sum.model === 'openai/gpt-4o'),
    {
      agent_type: 'scripted',
      calls: 4,
      input_tokens: 4_000,
      output_tokens: 200,
    },
  )
})

for (const wire of ['anthropic', 'chat', 'responses', 'google']) {
  test(`a program that asks over ${wire} is paused when the run’s money is spent, and runs again when there is more`, async () => {
    const earlier = model.requests.length
    script = () => ({ text: 'Hi', usage: { input: 1_000, output: 2_000 } })
    const id = await run(
      `${clients}
      for (let n = 1; n <= 3; n++) console.log('answer', n, (await ask('${wire}', n % 2 === 0)).status)`,
      { max_cost_usd: 0.01 },
    )
    const paused = await service.untilRun(id, ({ status }) => status !== 'queued' && status !== 'in_progress')
    assert.deepEqual([paused.status, paused['status_detail'], paused.error], ['paused', 'budget_reached', null])
    assert.equal(model.requests.length, earlier + 1)
    const before = await service.log(id)
    await service.call('PATCH', `${at}/agent/run/${id}`, { max_cost_usd: 5 })
    const ended = await service.untilEnded(id)
    assert.deepEqual([ended.status, ended['turn'], ended['status_detail']], ['completed', 1, null])
    const log = await service.log(id)
    assert.deepEqual(log.slice(0, before.length), before)
    assert.match(JSON.stringify(log), /answer 1 200.*answer 2 200.*answer 3 200/s)
    assert.deepEqual(
      log.map(({ message_type: type }) => type),
      ['USER_MESSAGE', 'ACTION', 'ERROR', 'ACTION', 'FINAL_ANSWER'],
    )
    assert.match(String(log[2]?.observation), /refused: The money of this run is spent.*max_cost_usd is raised/)
    const usage = ended['usage'] as { input_tokens: number; output_tokens: number }
    assert.deepEqual([usage.input_tokens, usage.output_tokens], [4 * 1_000, 4 * 2_000])
  })
}

test('a program that is killed in the middle of a stream ends the call to the provider', async () => {
  const text = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ')
  script = () => ({ text, breaks: 'stall' })
  const id = await run(`${clients} await ask('anthropic', true)`)
  const asked = model.requests.length
  await until(() => model.requests.length > asked, 'the model is asked')
  await service.call('POST', `${at}/agent/run/${id}/cancel`)
  assert.equal((await service.untilEnded(id)).status, 'cancelled')
  await until(() => model.requests.at(-1)?.isGivenUp === true, 'the provider is left')
  const stored = async () => (await service.untilRun(id, () => true))['usage'] as { input_tokens: number }
  await until(async () => (await stored()).input_tokens === 1_000, 'what it used is stored')
})

test('the token of a run opens nothing else, and nothing once the run has ended', async () => {
  script = () => ({ text: 'Hi' })
  // In a way that nobody looks for: it would be taken out of what is shown.
  const id = await run(
    `console.log('token', [...process.env.RUNWRIGHT_RUN_TOKEN].map((sign) => sign.charCodeAt(0) * 7).join('.'))`,
  )
  await service.untilEnded(id)
  const signs = /token ([\d.]+)/.exec(await seen(id))?.[1]?.split('.') ?? []
  const token = String.fromCharCode(...signs.map((sign) => Number(sign) / 7))
  assert.match(token, /^rw_\w{36}$/)
  const answer = await fetch(`${service.url}${at}/agent/run/${id}`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(answer.status, 401)
  const later = await run(`${clients.replace('process.env.RUNWRIGHT_RUN_TOKEN', JSON.stringify(token))}
    console.log('later', (await ask('anthropic', false)).status)`)
  await service.untilEnded(later)
  assert.match(await seen(later), /later 401/)
})
