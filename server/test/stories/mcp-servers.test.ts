import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { startModelServer, type ModelServerRequest, type ScriptedReply } from '#test/model-server.ts'
import { byAnswers } from '#test/play-agent.ts'
import { serve, serveMcp } from '#test/mcp-server.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const call = (name: string, input: object): ScriptedReply => ({ calls: [{ name, input: input as never }] })
const finish = call('finish', { summary: 'Done.' })
let replies: ScriptedReply[] = []
const model = await startModelServer((request, number) => {
  const script = byAnswers(replies)
  return typeof script === 'function' ? script(request, number) : finish
})
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: {
    OPENAI_BASE_URL: `${model.url}/v1`,
    RUNWRIGHT_MODEL: 'scripted-1',
    RUNWRIGHT_SCRIPTED: '1',
    RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1',
  },
})
const at = `/v1/organizations/${service.organizationId}`
type Server = { id: number; name: string; headers: Record<string, string> }
const add = (body: object) => service.call<Server>('POST', `${at}/mcp-servers`, body)
const remove = ({ id }: Server) => service.ask('DELETE', `${at}/mcp-servers/${id}`)
const start = (prompt: string) => service.call<RunAnswer>('POST', `${at}/agent/run`, { prompt, agent_type: 'builtin' })
async function run(
  script: ScriptedReply[],
): Promise<{ requests: ModelServerRequest[]; log: Awaited<ReturnType<typeof service.log>> }> {
  replies = script
  const before = model.requests.length
  const { id } = await start('Use the tools')
  const ended = await service.untilEnded(id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error) + service.said())
  return { requests: model.requests.slice(before), log: await service.log(id) }
}
const toolsOf = ({ body }: ModelServerRequest) =>
  (body['tools'] as { function: { name: string } }[])
    .map((tool) => tool.function.name)
    .filter((name) => name.startsWith('mcp__'))

test('a run calls a tool with a secret that nobody sees, beside a server that is away', async () => {
  const worker = await service.startWorker()
  const calls: string[] = []
  await using mcp = await serveMcp({ calls })
  await service.call('PUT', `${at}/secrets/CRM_TOKEN`, { value: 'crm-token-4711-value' })
  const crm = await add({ name: 'crm', url: mcp.url, headers: { Authorization: 'Bearer ${CRM_TOKEN}' } })
  assert.equal(crm.headers['Authorization'], 'Bearer ${CRM_TOKEN}')
  const away = await add({ name: 'away', url: 'http://127.0.0.1:1/mcp' })
  const lost = await add({ name: 'lost', url: mcp.url, headers: { Authorization: '${NO_SUCH}' } })
  assert.partialDeepStrictEqual(await service.call('POST', `${at}/mcp-servers/${crm.id}/try`), {
    ok: true,
    error: null,
  })
  const tried = await service.call<{ ok: boolean; error: string }>('POST', `${at}/mcp-servers/${away.id}/try`)
  assert.ok(!tried.ok && /could not be reached/.test(tried.error), tried.error)

  const { requests, log } = await run([call('mcp__crm__add', { a: 40, b: 2 }), call('mcp__crm__picture', {}), finish])
  assert.deepEqual(toolsOf(requests[0]!), ['mcp__crm__add', 'mcp__crm__fail', 'mcp__crm__long', 'mcp__crm__picture'])
  assert.deepEqual(calls, ['add 40 2'])
  assert.ok(mcp.seen.every(({ headers }) => headers.authorization === 'Bearer crm-token-4711-value'))
  assert.match(requests[1]!.text, /<data seal=[^>]*from=\\"mcp__crm__add\\">\\n42\\n<\/data/)
  const listed = log.find(({ tool_name }) => tool_name === 'mcp')
  assert.match(String(listed?.observation), /away failed: .*\nThe MCP server|crm: 4 tools/)
  assert.match(String(listed?.observation), /lost failed: there is no secret NO_SUCH/)
  assert.partialDeepStrictEqual(
    log.find(({ tool_name }) => tool_name === 'mcp__crm__add'),
    {
      tool_input: { a: 40, b: 2 },
      tool_output: { server: 'crm', tool: 'add', text: '42' },
    },
  )
  assert.ok(!JSON.stringify(log).includes('crm-token') && !requests.some(({ text }) => text.includes('crm-token')))
  await Promise.all([crm, away, lost].map(remove))
  assert.deepEqual(toolsOf((await run([finish])).requests[0]!), [])
  worker.kill('SIGTERM')
  await once(worker, 'exit')
})

test('a worker lost in a call does not make it again, and asks the model with the same tools, whatever the server says by then', async () => {
  const calls: string[] = []
  let isChanged = false
  await using real = await serveMcp({ calls })
  await using mcp = await serve(async ({ method = 'GET', headers }, response, body) => {
    const { accept = '', 'content-type': type = 'application/json' } = headers
    const init = { method, headers: { accept, 'content-type': type }, ...(body ? { body } : {}) }
    const answer = await fetch(real.url, init)
    const text = await answer.text()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(isChanged ? text.replaceAll('"add"', '"evil"') : text)
  })
  const server = await add({ name: 'crm', url: mcp.url })
  replies = [call('mcp__crm__add', { a: 1 }), call('mcp__crm__add', { a: 2 }), finish]
  const before = model.requests.length
  const { id } = await start('Call it once')
  // The first tool's step lists the tools.
  const crashing = await service.startWorker({ RUNWRIGHT_CRASH_AT: 'tool.done:2' })
  await once(crashing, 'exit')
  isChanged = true
  await service.startWorker()
  const ended = await service.untilEnded(id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
  const requests = model.requests.slice(before)
  assert.ok(requests.every((request) => toolsOf(request).includes('mcp__crm__add')))
  const texts = (await service.log(id))
    .filter(({ tool_name }) => tool_name === 'mcp__crm__add')
    .map(({ observation }) => String(observation))
  assert.match(texts[0]!, /^Error: interrupted by a restart of the service; its effect is unknown/)
  assert.equal(calls.filter((one) => one === 'add 1 1').length, 1)
  await remove(server)
})

test('a server that dies in the middle of a run is an error that the agent reads', async () => {
  await using mcp = await serveMcp({ calls: [], before: async () => mcp[Symbol.asyncDispose]() })
  const server = await add({ name: 'dying', url: mcp.url })
  const { requests } = await run([call('mcp__dying__add', { a: 1 }), call('mcp__dying__add', { a: 1 }), finish])
  assert.match(requests[1]!.text, /Error: The MCP server dying failed/)
  assert.match(requests[2]!.text, /could not be reached/)
  await remove(server)
})
