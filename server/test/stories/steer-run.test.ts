import assert from 'node:assert/strict'
import os from 'node:os'
import { after, test } from 'node:test'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { startService, untilReleased, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const db = await testDb()
let replies: ScriptedReply[] = []
const model = await startModelServer(() => replies.shift() ?? { calls: [finish('Nothing is left.')] })
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), OPENAI_BASE_URL: `${model.url}/v1`, RUNWRIGHT_MODEL: 'scripted-1' },
})
const at = `/v1/organizations/${service.organizationId}`

const finish = (summary: string) => ({ name: 'finish', input: { summary } })
const shell = (command: string) => ({ calls: [{ name: 'shell', input: { command } }] })
const create = (body: object) => service.call<RunAnswer>('POST', `${at}/agent/run`, body)
const act = (id: number, verb: string) => service.call<RunAnswer>('POST', `${at}/agent/run/${id}/${verb}`)

async function completed(id: number): Promise<RunAnswer> {
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  return run
}

/** Resolves when the model has been asked as often since `earlier`. */
async function untilAsked(earlier: number, times: number): Promise<void> {
  while (model.requests.length < earlier + times) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('a run is paused in the middle, holds no worker, and goes on at the same step', async () => {
  // From the third step on each waits, until the pause was asked for.
  const step = `echo step {n} >> steps.txt; if [ {n} -gt 2 ]; then ${untilReleased}; sleep 0.1; fi`
  const { id } = await service.play([{ shell: step, repeat: 10 }, { answer: 'Counted.' }])
  await service.untilLogged(id, 3)
  assert.equal((await act(id, 'pause'))['status_detail'], 'pausing')
  service.release(id)
  const paused = await service.untilRun(id, ({ status }) => status === 'paused')
  assert.equal(paused['status_detail'], null)
  const { rows } = await db.query('select running from run_slots where organization_id = $1', [service.organizationId])
  assert.equal(rows[0].running, 0)
  const before = (await service.log(id)).length
  assert.ok(before < 11, 'it was paused before its end')
  assert.equal((await service.ask('POST', `${at}/agent/run/${id}/pause`)).status, 409)
  await act(id, 'continue')
  const run = await completed(id)
  assert.equal(run['turn'], 1)
  const log = await service.log(id)
  const message = log.filter((entry) => entry.message_type === 'ACTION').map((entry) => entry.tool_output)
  assert.equal(message.length, 10)
  assert.ok(message.every((output) => !output?.['repeated']))
  const diff = await (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text()
  assert.equal((diff.match(/^\+step \d+$/gm) ?? []).length, 10)
  const spans = await service.call<{ kind: string; to: string | null }[]>('GET', `${at}/agent/run/${id}/timeline`)
  assert.deepEqual([...new Set(spans.map(({ kind }) => kind))], ['queue', 'setup', 'tool'])
  assert.ok(spans.every(({ to }) => to !== null))
})

test('a message, another model and an image reach the agent at its next step; what was taken back does not', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const earlier = model.requests.length
  replies = [shell('sleep 1'), { calls: [finish('Done as told.')] }]
  const images = [`data:image/png;base64,${pixel}`]
  const { id } = await create({ prompt: 'Look at this', images, agent_type: 'builtin' })
  await untilAsked(earlier, 1)
  const say = (prompt: string, more: object = {}) =>
    service.call<{ n: number }>('POST', `${at}/agent/run/${id}/messages`, { prompt, ...more })
  await say('Use tabs, please')
  const { n } = await say('No, forget that')
  assert.equal((await service.ask('DELETE', `${at}/agent/run/${id}/messages/${n}`)).status, 204)
  await service.call('PATCH', `${at}/agent/run/${id}`, { model: 'another-1', title: 'A better title' })
  assert.partialDeepStrictEqual(await completed(id), { result: 'Done as told.', title: 'A better title' })
  const [first, second] = model.requests.slice(earlier)
  assert.ok(first?.text.includes(`data:image/png;base64,${pixel}`))
  assert.ok(second?.text.includes(pixel) && second.text.includes('Use tabs, please'))
  assert.ok(!second?.text.includes('forget that'))
  assert.deepEqual([first?.body['model'], second?.body['model']], ['scripted-1', 'another-1'])
  const { items } = await service.call<{ items: object[] }>('GET', `${at}/agent/run/${id}/messages`)
  assert.partialDeepStrictEqual(items, [
    { n: 1, taken_seq: 1 },
    { n: 2, prompt: 'Use tabs, please' },
  ])
  assert.equal(items.length, 2)
  const { rows } = await db.query('select 1 from steps where run_id = $1 and strpos(request::text, $2) > 0', [
    id,
    pixel,
  ])
  assert.equal(rows.length, 0, 'images are stored once, not with every step')
})

test('the model is not asked once the run has cost what it may; with more money it goes on', async () => {
  const earlier = model.requests.length
  replies = [{ ...shell('true'), usage: { input: 40_000, output: 10 } }, shell('true')]
  const { id } = await create({ prompt: 'Spend', agent_type: 'builtin', model: 'gpt-4o', max_cost_usd: 0.1 })
  const run = await service.untilRun(id, ({ status }) => status !== 'queued' && status !== 'in_progress')
  assert.deepEqual([run.status, run['status_detail'], run.error], ['paused', 'budget_reached', null])
  assert.equal(model.requests.length, earlier + 1)
  const before = await service.log(id)
  for (const [route, body] of [
    [`${at}/agent/run/${id}/continue`, undefined],
    [`${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Go on' }],
  ] as const) {
    const refused = await service.ask('POST', route, body)
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [402, 'budget_reached'])
  }
  replies = []
  await service.call('PATCH', `${at}/agent/run/${id}`, { max_cost_usd: 5 })
  const ended = await completed(id)
  assert.deepEqual([ended.result, ended['turn']], ['Nothing is left.', 1])
  assert.deepEqual((await service.log(id)).slice(0, before.length), before)
})

test('a run whose log has grown to its limit ends, and says so', async () => {
  const { id } = await service.play([{ shell: 'sleep 0.1', repeat: 200 }, { answer: 'never' }])
  await service.untilLogged(id, 2)
  await db.query('update run_heads set log_bytes = 2 ^ 30 where run_id = $1', [id])
  const run = await service.untilEnded(id)
  assert.deepEqual([run.status, run.error?.code], ['failed', 'output_limit_reached'])
  assert.match(String((await service.log(id)).at(-1)?.observation), /1024 MiB/)
})

const allow = (bytes: number) => service.call('PATCH', at, { limits: { storage_bytes_max: bytes } })
const isFull = /^The organization may store 0 MiB, .*RUNWRIGHT_STORAGE_MIB.*an ADMIN can raise\./

test('a run whose organization becomes full ends, says who may raise the limit, and goes on once there is room', async () => {
  const earlier = model.requests.length
  replies = [shell(`${untilReleased}; echo told`)]
  const { id } = await create({ prompt: 'Write', agent_type: 'builtin' })
  await until(async () => {
    const { rows } = await db.query(`select from steps where run_id = $1 and kind = 'tool'`, [id])
    return rows.length > 0
  }, 'the command is at work')
  await allow(0)
  service.release(id)
  const run = await service.untilEnded(id)
  await allow(2 ** 33)
  assert.deepEqual([run.status, run.error?.code], ['failed', 'storage_full'])
  const last = (await service.log(id)).at(-1)
  assert.equal(last?.message_type, 'ERROR')
  assert.match(String(last?.observation), isFull)
  assert.match(String(last?.observation), /What the run did last is not in its log\.$/)
  const { rows } = await db.query(`select state from steps where run_id = $1 and kind = 'tool'`, [id])
  assert.deepEqual(rows, [{ state: 'done' }])
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Go on' })
  assert.equal((await completed(id)).result, 'Nothing is left.')
  const { text = '' } = model.requests.slice(earlier).at(-1) ?? {}
  assert.ok(text.includes('told'), 'what was done is not done again')
})

test('a run in a full organization asks no model, and its log says why', async () => {
  const earlier = model.requests.length
  await allow(0)
  const { id } = await create({ prompt: 'Write', agent_type: 'builtin' })
  const run = await service.untilEnded(id)
  await allow(2 ** 33)
  assert.deepEqual([run.status, run.error?.code, model.requests.length], ['failed', 'storage_full', earlier])
  const log = await service.log(id)
  assert.deepEqual([log[0]?.message_type, log[0]?.observation], ['USER_MESSAGE', 'Write'])
  assert.equal(log.at(-1)?.message_type, 'ERROR')
  assert.match(String(log.at(-1)?.observation), isFull)
})

test('files that the agent leaves for people are kept, and git does not see them', async () => {
  const folder = '.runwright/artifacts'
  const { id } = await service.play([
    {
      shell: `mkdir -p ${folder}/deep && cd ${folder} && printf 'a,b\\n' > 'the report.csv' && ln -s /etc/passwd link && touch .hidden deep/x`,
    },
    { write: { path: 'a.txt', content: 'a\n' } },
    { answer: 'See the report.' },
  ])
  await completed(id)
  const { items, total } = await service.call<{ items: object[]; total: number }>(
    'GET',
    `${at}/agent/run/${id}/artifacts`,
  )
  assert.equal(total, 1)
  assert.partialDeepStrictEqual(items, [{ name: 'the report.csv', bytes: 4, content_type: 'text/csv' }])
  const file = await service.ask('GET', `${at}/agent/run/${id}/artifacts/${encodeURIComponent('the report.csv')}`)
  assert.equal(await file.text(), 'a,b\n')
  assert.equal(file.headers.get('content-type'), 'application/octet-stream')
  assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(file.headers.get('content-disposition'), "attachment; filename*=UTF-8''the%20report.csv")
  assert.equal((await service.ask('GET', `${at}/agent/run/${id}/artifacts/link`)).status, 404)
  const diff = await (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text()
  assert.match(diff, /a\.txt/)
  assert.doesNotMatch(diff, /runwright/)
  const refused = (await service.log(id)).find((entry) => entry.message_type === 'ERROR')
  assert.match(String(refused?.observation), /\.hidden/)
})

test('an answer that fits its schema comes as data too', async () => {
  const output_schema = { type: 'object', properties: { files: { type: 'integer' } }, required: ['files'] }
  const [good, bad] = [
    await service.play([{ answer: 'Three.\n\n```json\n{"files": 3}\n```\n' }], { output_schema }),
    await service.play([{ answer: 'Three.' }], { output_schema }),
  ]
  assert.deepEqual((await completed(good.id))['result_json'], { files: 3 })
  const { result_json, status_detail } = await completed(bad.id)
  assert.deepEqual([result_json, status_detail], [null, 'output_invalid'])
})

test('a run and the run that it was started for name each other in their logs', async () => {
  const parent = await service.play([{ answer: 'First.' }])
  await completed(parent.id)
  const child = await service.play([{ answer: 'Second.' }], { parent_run_id: parent.id })
  await completed(child.id)
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: parent.id, prompt: 'And now?' })
  await service.untilRun(parent.id, (run) => run['turn'] === 2 && run.status === 'completed')
  const links = async (id: number) =>
    (await service.log(id)).filter((entry) => entry.message_type === 'AGENT_RUN_LINK').map((entry) => entry.observation)
  assert.partialDeepStrictEqual(await links(child.id), [{ agent_run_id: parent.id, relation: 'parent' }])
  assert.partialDeepStrictEqual(await links(parent.id), [{ agent_run_id: child.id, relation: 'child' }])
})

test('a run goes on with the pull request of another', async () => {
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'shared-branch',
    import_from: makeRepository({ 'a.txt': 'a\n' }),
  })
  const write = (path: string) => [{ write: { path, content: `${path}\n` } }, { answer: `Wrote ${path}.` }]
  const first = await completed((await service.play(write('b.txt'), { repo_id: repo.id })).id)
  const [pull] = first.github_pull_requests as unknown as [{ id: number; head_branch_name: string }]
  const made = await service.play(write('c.txt'), { pull_request: pull.id })
  assert.partialDeepStrictEqual(made, { repo_id: repo.id, branch: pull.head_branch_name, base_branch: 'main' })
  const second = await completed(made.id)
  assert.deepEqual(second.github_pull_requests, first.github_pull_requests)
  const diff = await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text()
  assert.match(diff, /b\.txt[\s\S]*c\.txt/)
})
