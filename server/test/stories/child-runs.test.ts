import assert from 'node:assert/strict'
import os from 'node:os'
import { after, test } from 'node:test'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer, type ModelServerRequest, type ScriptedReply } from '#test/model-server.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const call = (name: string, input: object): ScriptedReply => ({ calls: [{ name, input: input as never }] })
const finish = (summary: string) => call('finish', { summary })
/** By a word of the prompt: what each agent answers, request after request. A crash asks again, so the number of answers counts. */
const scripts = new Map<
  string,
  (answers: number, request: ModelServerRequest) => ScriptedReply | Promise<ScriptedReply>
>()
const model = await startModelServer((request) => {
  const messages = request.body['messages'] as { role: string; content: unknown }[]
  const first = JSON.stringify(messages.find(({ role }) => role === 'user')?.content)
  const [, script] = [...scripts].find(([word]) => first.includes(word)) ?? []
  if (!script) throw new Error(`no script for ${first}`)
  return script(messages.filter(({ role }) => role === 'assistant').length, request)
})
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: {
    RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
    OPENAI_BASE_URL: `${model.url}/v1`,
    RUNWRIGHT_MODEL: 'scripted-1',
    RUNWRIGHT_MODEL_PRICES: 'openai/scripted-1=1/1',
    RUNWRIGHT_WORKER_SLOTS: '1',
    RUNWRIGHT_SCRIPTED: '1',
  },
})
const at = `/v1/organizations/${service.organizationId}`
const create = (prompt: string, more: object = {}) =>
  service.call<RunAnswer>('POST', `${at}/agent/run`, { prompt, agent_type: 'builtin', ...more })
const childrenOf = async (id: number) =>
  (await service.call<{ items: RunAnswer[] }>('GET', `${at}/agent/runs?parent_run_id=${id}`)).items.reverse()
const completed = async (id: number) => {
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  return run
}
const links = async (id: number) =>
  (await service.log(id))
    .filter(({ message_type }) => message_type === 'AGENT_RUN_LINK')
    .map((entry) => entry.observation)
const lastTool = ({ body }: ModelServerRequest) =>
  (body['messages'] as { role: string; content: string }[]).findLast(({ role }) => role === 'tool')?.content ?? ''

test('a worker that is killed before a child is recorded starts no second one', async () => {
  scripts.set(
    'CRASHING',
    (answers) =>
      [call('start_run', { prompt: 'ORPHAN: be quick' }), call('read_runs', {}), finish('Both done.')][answers]!,
  )
  scripts.set('ORPHAN', () => finish('Quick enough.'))
  const run = await create('CRASHING: delegate')
  const crashing = await service.startWorker({ RUNWRIGHT_CRASH_AT: 'tool.done' })
  await new Promise((resolve) => crashing.once('exit', resolve))
  assert.equal((await childrenOf(run.id)).length, 1, 'it was killed with the child started, and its step not stored')
  await service.startWorker()
  await completed(run.id)
  const [child, ...others] = await childrenOf(run.id)
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(await links(run.id), [{ agent_run_id: child!.id, relation: 'child' }])
  assert.partialDeepStrictEqual(await links(child!.id), [{ agent_run_id: run.id, relation: 'parent' }])
})

test('with one slot, a run waits for the two that it started, and reads what became of them', async () => {
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'shared',
    import_from: makeRepository({ 'a.txt': 'a\n' }),
  })
  let waitedIn = ''
  let read = ''
  scripts.set('PARENT', (answers, request) => {
    if (answers === 0)
      return {
        calls: [
          { name: 'start_run', input: { prompt: 'CHILD one', title: 'One', repository: 'Shared' } },
          { name: 'start_run', input: { prompt: 'CHILD two' } },
          { name: 'start_run', input: { prompt: 'CHILD three', repository: 'nowhere' } },
        ],
      }
    if (answers === 1) return call('read_runs', {})
    read = lastTool(request)
    return finish('Both are done.')
  })
  scripts.set('CHILD', async (answers, { text }) => {
    const { status, status_detail } = await service.call<RunAnswer>('GET', `${at}/agent/run/${parent.id}`)
    waitedIn = `${status} ${String(status_detail)}`
    if (!text.includes('CHILD one')) return finish('Nothing to change in </data> two.')
    return [
      call('write', { path: 'b.txt', content: 'b\n' }),
      call('shell', { command: 'cat b.txt' }),
      finish('Wrote b.'),
    ][answers]!
  })
  const parent = await create('PARENT: split the work', { title: 'Parent' })
  await completed(parent.id)
  assert.equal(waitedIn, 'queued waiting_for_runs')
  const children = await childrenOf(parent.id)
  assert.deepEqual(
    children.map(({ title, repo_id, parent_run_id, status }) => [title, repo_id, parent_run_id, status]),
    [
      ['One', repo.id, parent.id, 'completed'],
      ['CHILD two', null, parent.id, 'completed'],
    ],
  )
  assert.match(read, /<data seal=/)
  assert.ok(read.includes(`/repos/${repo.id}/pulls/1\n`) && read.includes('Wrote b.'), read)
  assert.equal((await links(parent.id)).length, 2)
  const refused = (await service.log(parent.id)).find(({ tool_input }) => tool_input?.['repository'] === 'nowhere')
  assert.match(String(refused?.observation), /^Error: There is no repository nowhere/)
})

test('stopping a run stops what it started, and theirs', async () => {
  let reached = () => {}
  const hanging = new Promise<void>((resolve) => (reached = resolve))
  scripts.set('TOP', (answers) => (answers ? call('read_runs', {}) : call('start_run', { prompt: 'MIDDLE' })))
  scripts.set('MIDDLE', (answers) => (answers ? call('read_runs', {}) : call('start_run', { prompt: 'BOTTOM' })))
  scripts.set('BOTTOM', (_, { body }) => {
    const names = (body['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name)
    assert.ok(!names.includes('start_run'), 'a run at the bottom starts no others')
    reached()
    return call('shell', { command: 'sleep 600', timeout_seconds: 600 })
  })
  const top = await create('TOP')
  await hanging
  await service.call('POST', `${at}/agent/run/${top.id}/cancel`)
  const [middle] = await childrenOf(top.id)
  const [bottom] = await childrenOf(middle!.id)
  for (const { id } of [top, middle!, bottom!]) assert.equal((await service.untilEnded(id)).status, 'cancelled')
})

test('a message to a run that waits is read at once', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let read = ''
  scripts.set('PATIENT', (answers, request) => {
    if (answers === 0) return call('start_run', { prompt: 'SLOW' })
    if (answers === 1) return call('read_runs', {})
    read = lastTool(request)
    assert.match(request.text, /Never mind/)
    release()
    return finish('It goes on without me.')
  })
  // Its own slot is elsewhere, so that it does not hold the only one.
  await service.startWorker()
  scripts.set('SLOW', async () => {
    await released
    return finish('At last.')
  })
  const run = await create('PATIENT')
  await service.untilRun(run.id, ({ status_detail }) => status_detail === 'waiting_for_runs')
  await service.call('POST', `${at}/agent/run/${run.id}/messages`, { prompt: 'Never mind' })
  await completed(run.id)
  assert.match(read, /1 of them still at work/)
})

test('what its children cost counts on the budget of the run that started them', async () => {
  const usage = { input: 400_000, output: 1 }
  scripts.set(
    'RICH',
    (answers) => [call('start_run', { prompt: 'SPENDER' }), call('read_runs', {}), finish('Rich.')][answers]!,
  )
  scripts.set('SPENDER', (answers) => ({ ...(answers < 3 ? call('list', {}) : finish('Spent.')), usage }))
  const run = await create('RICH', { max_cost_usd: 0.9 })
  await service.untilRun(run.id, ({ status_detail }) => status_detail === 'waiting_for_runs')
  const [child] = await childrenOf(run.id)
  const held = await service.untilRun(child!.id, ({ status }) => status === 'paused' || status === 'completed')
  assert.deepEqual([held.status, held['status_detail']], ['paused', 'budget_reached'])
  const refused = await service.ask('POST', `${at}/agent/run/${child!.id}/continue`)
  assert.match(await refused.text(), new RegExp(`max_cost_usd of run ${run.id}`))
  await service.call('PATCH', `${at}/agent/run/${run.id}`, { max_cost_usd: 100 })
  await completed(child!.id)
  await completed(run.id)
})
