import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { byAnswers } from '#test/play-agent.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const call = (name: string, input: object): ScriptedReply => ({ calls: [{ name, input: input as never }] })
const finish = call('finish', { summary: 'Done.' })
let replies: ScriptedReply[] = [finish]
const script: Parameters<typeof startModelServer>[0] = (request, number) => {
  const made = byAnswers(replies)
  return typeof made === 'function' ? made(request, number) : finish
}
/** All keys that there ever were: none may be found anywhere. */
const keys = ['1', '2', '3', '4', 'wrong', 'femi', 'org'].map((name) => `sk-own-${name}-4711-abcdefgh-${name}`)
const [first, second, third, fourth, wrong, femis, common] = keys as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
]
let keyInForce = first
const operators = await startModelServer(() => finish)
const mine = await startModelServer(
  (request, number) => script(request, number),
  'llama',
  () => keyInForce,
)
const theirs = await startModelServer(
  (request, number) => script(request, number),
  'qwen',
  () => second,
)
after(() => Promise.all([operators, mine, theirs].map((server) => server.close())))
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: {
    OPENAI_BASE_URL: `${operators.url}/v1`,
    RUNWRIGHT_MODEL: 'scripted-1',
    RUNWRIGHT_MODELS: 'openai/*',
    RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1',
    RUNWRIGHT_RATE_LIMITS: 'standard=0,creation=0,logs=0',
  },
})
const one = service.organizationId
const { id: two } = await service.call<{ id: number }>('POST', '/v1/organizations', { name: 'Two' })
const at = (organization: number, path: string) => `/v1/organizations/${organization}${path}`
type Provider = { id: number; has_key: boolean }
const add = (organization: number, body: object) =>
  service.call<Provider>('POST', at(organization, '/model-providers'), { name: 'acme', kind: 'openai_chat', ...body })
const refused = async (method: string, path: string, body: object) => {
  const answer = await service.ask(method, path, body)
  const text = await answer.text()
  assert.ok(!keys.some((key) => text.includes(key)), text)
  return [answer.status, text] as const
}
const start = (organization: number, more: object) =>
  service.call<RunAnswer & { configuration: Record<string, unknown> }>('POST', at(organization, '/agent/run'), {
    prompt: 'Hello.',
    agent_type: 'builtin',
    ...more,
  })
async function run(organization: number, more: object): Promise<RunAnswer> {
  const { id } = await start(organization, more)
  return service.untilEnded(id, undefined, organization)
}
const asked = () => [operators, mine, theirs].map(({ requests }) => requests.length)
afterEach(() => assert.ok(!keys.some((key) => service.said().includes(key)), 'a key is in the log'))
let acme: Provider
let worker: Awaited<ReturnType<typeof service.startWorker>> | undefined

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a provider is tried before it is saved, and what cannot be used is refused with its reason', async () => {
  const path = at(one, '/model-providers')
  const attempt = (more: object) => refused('POST', path, { name: 'acme', kind: 'openai_chat', key: first, ...more })
  const [status, text] = await attempt({ base_url: `${mine.url}/v1`, key: wrong })
  assert.equal(status, 400)
  assert.match(
    text,
    /The model provider acme refuses the key \(401 from http.*check its key\..*"model_provider_failed"/,
  )
  const html = await serve((_, response) => void response.end('<html>Welcome</html>'))
  assert.match((await attempt({ base_url: html }))[1], /did not answer with a list of models: check its address/)
  const elsewhere = await serve(
    (_, response) => void response.writeHead(302, { location: `${mine.url}/v1/models` }).end(),
  )
  assert.match((await attempt({ base_url: elsewhere }))[1], /does not list its models: 302/)
  const endless = await serve((_, response) => {
    const more = () =>
      void (
        response.destroyed || (response.write('[1,'.repeat(20_000)) ? setImmediate(more) : response.once('drain', more))
      )
    response.on('error', () => {})
    more()
  })
  assert.match((await attempt({ base_url: endless }))[1], /cannot be reached .*larger than/)
  assert.match(
    (await attempt({ base_url: 'http://10.1.2.3/v1' }))[1],
    /10\.1\.2\.3 is not a host of the public internet/,
  )
  assert.match((await attempt({ base_url: 'http://127.0.0.1:1/v1' }))[1], /could not be reached/)
  assert.match(
    (await attempt({ name: 'anthropic', base_url: mine.url }))[1],
    /stands in for the provider of the service/,
  )
  assert.match((await attempt({}))[1], /needs its address/)
  assert.match((await attempt({ key: 'aaaaaaaaaaaa', base_url: mine.url }))[1], /different characters/)
  assert.deepEqual((await service.call('GET', path))['items'], [])

  acme = await add(one, { base_url: `${mine.url}/v1`, key: first })
  assert.ok(acme.has_key && !JSON.stringify(acme).includes(first))
  await add(two, { base_url: `${theirs.url}/v1`, key: second, input_usd: 1_000, output_usd: 1_000 })
  assert.equal(
    (await refused('POST', path, { name: 'acme', kind: 'openai_chat', base_url: `${mine.url}/v1`, key: first }))[0],
    409,
  )
  const its = `${path}/${acme.id}`
  assert.deepEqual(await service.call('POST', `${its}/try`), {
    ok: true,
    error: null,
    models: ['llama'],
    total: 1,
    missing: [],
  })
  assert.match((await refused('PATCH', its, { base_url: html }))[1], /A new address needs the key with it/)
  assert.match((await refused('PATCH', its, { key: wrong }))[1], /refuses the key/)
  // Of the other organization.
  assert.equal((await service.ask('POST', at(two, `/model-providers/${acme.id}/try`))).status, 404)
})

test('runs of two organizations each reach their own provider of the same name, and no other one', async () => {
  worker = await service.startWorker()
  const names = async (organization: number) =>
    (await service.call<{ items: { name: string }[] }>('GET', at(organization, '/models'))).items.map(
      ({ name }) => name,
    )
  assert.deepEqual(await names(one), ['openai/scripted-1', 'acme/llama'])
  assert.deepEqual(await names(two), ['openai/scripted-1', 'acme/qwen'])
  await service.call('PATCH', at(two, ''), { default_models: ['acme/qwen'] })
  assert.equal((await start(two, { dry_run: true })).configuration['model'], 'acme/qwen')
  const ended = await run(one, { model: 'acme/llama' })
  assert.deepEqual([ended.status, ended['model']], ['completed', 'acme/llama'], JSON.stringify(ended.error))
  assert.deepEqual(asked(), [0, 1, 0])
  const other = await run(two, { max_cost_usd: 500 })
  assert.deepEqual([other.status, other['model']], ['completed', 'acme/qwen'], JSON.stringify(other.error))
  assert.ok((other['usage'] as { cost_usd: number }).cost_usd > 0)
  assert.deepEqual(asked(), [0, 1, 1])
  assert.equal(mine.requests[0]?.headers.authorization, `Bearer ${first}`)
  assert.equal(theirs.requests[0]?.headers.authorization, `Bearer ${second}`)
  const unpriced = await run(one, { model: 'acme/llama', max_cost_usd: 5 })
  assert.match(String(unpriced.error?.message), /No price is known for acme\/llama/)
})

test('a key that is changed in the middle of a run is used from the next request on, also where the old one was just refused', async () => {
  const change = (key: string) => service.call('PATCH', at(one, `/model-providers/${acme.id}`), { key })
  replies = [call('shell', { command: 'sleep 1; echo one' }), call('shell', { command: 'echo two' }), finish]
  const before = mine.requests.length
  const { id } = await start(one, { model: 'acme/llama' })
  await service.untilRun(id, () => mine.requests.length > before)
  keyInForce = third
  await change(third)
  const ended = await service.untilEnded(id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
  const used = mine.requests.slice(before).map(({ headers }) => headers.authorization)
  assert.deepEqual(
    used,
    [first, third, third].map((key) => `Bearer ${key}`),
  )

  // The worker has read the old key when it is refused: the first request of a run is held until the change is stored.
  let isHeld = true
  const gate = await serve((request, response) => {
    const shown = request.headers.authorization
    if (request.url?.endsWith('/models')) return void response.end('{"data":[{"id":"llama"}]}')
    if (shown !== `Bearer ${fourth}`) {
      isHeld = true
      return void change(fourth).then(() => response.writeHead(401).end('{"error":{"message":"gone"}}'))
    }
    isHeld = false
    response.setHeader('content-type', 'application/json')
    const message = {
      role: 'assistant',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'finish', arguments: '{"summary":"Done."}' } }],
    }
    response.end(
      JSON.stringify({
        id: 'x',
        model: 'llama',
        created: 1,
        choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      }),
    )
  })
  await service.call('PATCH', at(one, `/model-providers/${acme.id}`), { base_url: gate, key: third })
  const raced = await run(one, { model: 'acme/llama' })
  assert.equal(raced.status, 'completed', JSON.stringify(raced.error))
  assert.equal(isHeld, false)
  keyInForce = third
  await service.call('PATCH', at(one, `/model-providers/${acme.id}`), { base_url: `${mine.url}/v1`, key: third })
})

test('a run goes on with the operator’s model where the organization’s provider refuses its key', async () => {
  keyInForce = fourth
  await service.call('PATCH', at(one, ''), { default_models: ['acme/llama', 'openai/scripted-1'] })
  const { id, ...ended } = await run(one, {})
  assert.deepEqual([ended.status, ended['model']], ['completed', 'openai/scripted-1'], JSON.stringify(ended.error))
  const log = JSON.stringify(await service.log(id))
  assert.match(log, /The model provider acme refuses the key.*openai\/scripted-1 is asked instead/)
  await service.call('PATCH', at(one, ''), { default_models: [] })
  keyInForce = third
})

test('an agent that prints the key shows it to nobody, and a worker that is killed asks nothing twice', async () => {
  replies = [
    call('shell', { command: `printf 'key=%s%s\\n' ${third.slice(0, 9)} ${third.slice(9)}` }),
    call('shell', { command: 'sleep 60' }),
    finish,
  ]
  const before = mine.requests.length
  const { id } = await start(one, { model: 'acme/llama' })
  const isAsleep = async () =>
    (await db.query(`select 1 from steps where run_id = $1 and kind = 'tool' and step > 3`, [id])).rowCount === 1
  await service.untilRun(id, () => mine.requests.length === before + 2)
  for (let looks = 0; looks < 200 && !(await isAsleep()); looks++) await sleep(50)
  worker?.kill('SIGKILL')
  await service.startWorker()
  const ended = await service.untilEnded(id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
  assert.match(JSON.stringify(await service.log(id)), /key=\[redacted:model provider acme\]/)
  assert.equal(mine.requests.length - before, 3)
})

test('a provider that was removed is named by the runs that still want it', async () => {
  await service.ask('DELETE', at(one, `/model-providers/${acme.id}`))
  const ended = await run(one, { model: 'acme/llama' })
  assert.equal(ended.error?.code, 'no_model')
  assert.match(ended.error.message, /the model provider acme was removed from this organization/)
  const again = await add(one, { name: 'openai', base_url: `${mine.url}/v1`, key: third })
  replies = [finish]
  const before = asked()
  assert.equal((await run(one, { model: 'openai/llama' })).status, 'completed')
  assert.deepEqual(asked(), [before[0]!, before[1]! + 1, before[2]!], 'it stands in for the operator’s')
  await service.ask('DELETE', at(one, `/model-providers/${again.id}`))
})

test('runs of a member ask with the key of that member, all others with the organization’s, and a new address is shown neither', async () => {
  const servers = [
    await startModelServer((request, number) => script(request, number)),
    await startModelServer(() => finish),
  ]
  after(() => Promise.all(servers.map((server) => server.close())))
  const [here, elsewhere] = servers as [(typeof servers)[0], (typeof servers)[0]]
  const addressOf = ({ url }: typeof here) => `${url}/v1`
  const { id: userId } = await service.call<{ id: number }>('POST', at(one, '/members'), { full_name: 'Femi' })
  const femi = await service.call<{ token: string }>('POST', at(one, '/tokens'), { name: 'femi', user_id: userId })
  const provider = await add(one, { name: 'shared', base_url: addressOf(here), key: common })
  const its = at(one, `/model-providers/${provider.id}`)
  const ask = async (path: string, method = 'GET', body?: object) => {
    const headers = { authorization: `Bearer ${femi.token}`, 'content-type': 'application/json' }
    const answer = await fetch(service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    assert.ok(!keys.some((key) => text.includes(key)), text)
    return { status: answer.status, body: JSON.parse(text || 'null') }
  }
  const runOf = async (who: 'femi' | 'admin') => {
    const asks = { prompt: 'Hello.', agent_type: 'builtin', model: 'shared/scripted-1' }
    const { id } = who === 'admin' ? await start(one, asks) : (await ask(at(one, '/agent/run'), 'POST', asks)).body
    return service.untilEnded(id)
  }
  const last4 = (body: Record<string, unknown>) =>
    (body['items'] as { name: string; my_key: { last4: string } | null }[]).find(({ name }) => name === 'shared')
      ?.my_key?.last4
  const shown = ({ requests }: typeof here) => requests.map(({ headers }) => headers.authorization)

  const wish = { key: femis, base_url: addressOf(elsewhere) }
  assert.equal((await ask(`${its}/my-key`, 'PUT', wish)).status, 409)
  assert.equal((await ask(`${its}/my-key`, 'PUT', { ...wish, base_url: addressOf(here) })).status, 200)
  assert.equal(last4((await ask(at(one, '/model-providers'))).body), 'femi')
  assert.equal(last4(await service.call('GET', at(one, '/model-providers'))), undefined)
  const split = `printf 'key=%s%s\\n' ${femis.slice(0, 9)} ${femis.slice(9)}`
  replies = [call('shell', { command: split }), finish]
  const mine = await runOf('femi')
  assert.equal(mine.status, 'completed', JSON.stringify(mine.error))
  assert.match(JSON.stringify(await service.log(mine.id)), /key=\[redacted:model provider shared\]/)
  replies = [finish]
  assert.equal((await runOf('admin')).status, 'completed')
  assert.deepEqual([...new Set(shown(here))], [`Bearer ${femis}`, `Bearer ${common}`])

  await service.call('PATCH', its, { base_url: addressOf(elsewhere), key: null })
  assert.equal(last4((await ask(at(one, '/model-providers'))).body), undefined)
  for (const who of ['femi', 'admin'] as const) assert.equal((await runOf(who)).status, 'completed')
  assert.ok(elsewhere.requests.length >= 2)
  assert.deepEqual([...new Set(shown(elsewhere))], [undefined])

  await service.call('PATCH', its, { member_keys_only: true })
  assert.equal((await ask(`${its}/my-key`, 'PUT', wish)).status, 200)
  assert.equal((await runOf('femi')).status, 'completed')
  const { error } = await runOf('admin')
  assert.deepEqual([error?.code, /add yours with "Your key"/.test(String(error?.message))], ['no_model', true])
  assert.equal((await ask(`${its}/my-key`, 'DELETE')).status, 204)
  assert.equal((await runOf('femi')).error?.code, 'no_model')
  assert.deepEqual([...new Set(shown(elsewhere))], [undefined, `Bearer ${femis}`])
})

test('no key is in any row, any file or any line that the service has written', async () => {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  assert.ok(tables.length > 50)
  for (const { name } of tables) {
    const { rows } = await db.query(`select 1 from ${name} t where t::text like any ($1)`, [
      keys.map((key) => `%${key}%`),
    ])
    assert.equal(rows.length, 0, name)
  }
  const found = execFileSync('sh', ['-c', `grep -rlF -e ${keys.join(' -e ')} "$0" || true`, service.dataDir], {
    encoding: 'utf8',
  })
  assert.equal(found, '')
})
