import assert from 'node:assert/strict'
import os from 'node:os'
import { after, test } from 'node:test'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
let replies: ScriptedReply[] = []
const model = await startModelServer(
  () => replies.shift() ?? { calls: [{ name: 'finish', input: { summary: 'Left.' } }] },
)
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), OPENAI_BASE_URL: `${model.url}/v1`, RUNWRIGHT_MODEL: 'scripted-1' },
})
const at = `/v1/organizations/${service.organizationId}`
type Question = { n: number; kind: string; text: string; options: string[]; answer: string | null }

const create = (body: object) => service.call<RunAnswer>('POST', `${at}/agent/run`, body)
const questions = async (id: number) =>
  (await service.call<{ items: Question[] }>('GET', `${at}/agent/run/${id}/questions`)).items
const answer = (id: number, n: number, text: string) =>
  service.call<Question>('POST', `${at}/agent/run/${id}/questions/${n}/answer`, { answer: text })
const untilAsked = (id: number, n = 1) =>
  service
    .untilRun(id, ({ status }) => status === 'waiting_for_user' || status === 'failed')
    .then(async (run) => {
      assert.equal(run.status, 'waiting_for_user', JSON.stringify(run.error) + service.said())
      assert.equal((await questions(id)).length, n)
      return run
    })
async function completed(id: number): Promise<RunAnswer> {
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  return run
}
const kindsOf = async (id: number) =>
  (await service.call<{ kind: string }[]>('GET', `${at}/agent/run/${id}/timeline`)).map(({ kind }) => kind)
const call = (name: string, input: object): ScriptedReply => ({ calls: [{ name, input: input as never }] })
const finish = (summary: string) => call('finish', { summary })
const plan = (...steps: string[]) => call('plan', { steps: steps.map((text) => ({ text, status: 'pending' })) })

test('a script asks, waits without a worker, and goes on with the answer and with its files', async () => {
  const script = [
    { shell: 'echo before >> kept.txt' },
    { ask: { question: 'Tabs or spaces?', options: ['tabs', 'spaces'] } },
    { shell: 'echo {reply} >> kept.txt; cat kept.txt' },
    { answer: 'With {reply}.' },
  ]
  const { id } = await create({ prompt: 'Indent', agent_type: 'scripted', metadata: { script } })
  const waiting = await untilAsked(id)
  assert.deepEqual([waiting['status_detail'], waiting['turn']], ['question', 1])
  const { rows } = await db.query('select running from run_slots where organization_id = $1', [service.organizationId])
  assert.equal(rows[0].running, 0)
  assert.partialDeepStrictEqual(await questions(id), [
    { n: 1, kind: 'question', text: 'Tabs or spaces?', options: ['tabs', 'spaces'], answer: null },
  ])
  await answer(id, 1, 'two spaces')
  assert.equal((await completed(id)).result, 'With two spaces.')
  const log = await service.log(id)
  assert.deepEqual(
    log.map(({ message_type, tool_name }) => tool_name ?? message_type),
    ['USER_MESSAGE', 'shell', 'ask_user', 'shell', 'FINAL_ANSWER'],
  )
  assert.equal(log[2]?.observation, 'two spaces')
  assert.match(String(log[3]?.observation), /^before\ntwo spaces\n/)
  assert.deepEqual(await kindsOf(id), ['queue', 'setup', 'tool', 'person', 'queue', 'tool'])
})

test('the built-in agent asks what only people can decide, and reads the answer, and what else they said', async () => {
  const earlier = model.requests.length
  replies = [call('ask_user', { question: 'Which port?', options: ['80', '8080'] }), finish('Port chosen.')]
  const { id } = await create({ prompt: 'Choose a port', agent_type: 'builtin' })
  await untilAsked(id)
  assert.equal(model.requests.length, earlier + 1)
  await service.call('POST', `${at}/agent/run/${id}/messages`, { prompt: 'And write it down' })
  assert.equal((await service.untilRun(id, () => true)).status, 'waiting_for_user')
  await answer(id, 1, '8080')
  await completed(id)
  assert.equal(model.requests.length, earlier + 2, 'the model is not asked again')
  const messages = model.requests[earlier + 1]?.body['messages'] as { role: string; content: string }[]
  assert.deepEqual(
    messages.slice(-2).map(({ role, content }) => [role, content]),
    [
      ['tool', '8080'],
      ['user', 'And write it down'],
    ],
  )
})

test('a plan is changed until people approve it, and nothing is touched before', async () => {
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'planned',
    import_from: makeRepository({ 'a.txt': 'a\n' }),
  })
  const earlier = model.requests.length
  replies = [
    {
      calls: [
        { name: 'write', input: { path: 'early.txt', content: 'too early\n' } },
        { name: 'shell', input: { command: 'cat a.txt; echo early > a.txt; touch early.txt' } },
      ],
    },
    plan('Delete everything'),
    plan('Write b.txt', 'Check it'),
    call('write', { path: 'b.txt', content: 'b\n' }),
    call('shell', { command: 'cat b.txt' }),
    finish('Wrote it.'),
  ]
  const { id } = await create({ prompt: 'Add b', agent_type: 'builtin', repo_id: repo.id, plan_approval: true })
  await untilAsked(id)
  assert.partialDeepStrictEqual(await questions(id), [
    { kind: 'plan', text: '1. Delete everything', options: ['approve'] },
  ])
  await answer(id, 1, 'No, only add b.txt')
  await service.untilRun(id, (run) => run.status === 'waiting_for_user' && model.requests.length === earlier + 3)
  assert.partialDeepStrictEqual(await questions(id), [
    { n: 1, answer: 'No, only add b.txt' },
    { n: 2, kind: 'plan', text: '1. Write b.txt\n2. Check it', answer: null },
  ])
  await answer(id, 2, 'approve')
  const run = await completed(id)
  assert.equal(run.github_pull_requests.length, 1)
  const diff = await (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text()
  assert.match(diff, /b\.txt/)
  assert.doesNotMatch(diff, /early/)
  assert.match(
    model.requests[earlier + 1]?.text ?? '',
    /write may not be used before your plan is approved[^]*Read-only file system/,
  )
  assert.match(model.requests[earlier + 2]?.text ?? '', /not approved yet\. Call plan again[^"]*only add b\.txt/)
  assert.deepEqual(
    (await service.log(id)).map(({ message_type, tool_name }) => tool_name ?? message_type),
    [
      'USER_MESSAGE',
      'write',
      'shell',
      'PLAN_EVALUATION',
      'USER_MESSAGE',
      'PLAN_EVALUATION',
      'USER_MESSAGE',
      'write',
      'shell',
      'INITIAL_PR_GENERATION',
      'FINAL_ANSWER',
    ],
  )
})

test('a message to a run that waits begins its next turn, which knows the question', async () => {
  const earlier = model.requests.length
  replies = [call('ask_user', { question: 'Which colour?' }), finish('Blue, as you said.')]
  const { id } = await create({ prompt: 'Paint it', agent_type: 'builtin' })
  await untilAsked(id)
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Paint it blue' })
  const run = await completed(id)
  assert.deepEqual([run['turn'], run.result], [2, 'Blue, as you said.'])
  assert.match(model.requests[earlier + 1]?.text ?? '', /Which colour\?[\s\S]*nobody answered[\s\S]*Paint it blue/)
  assert.equal((await service.ask('POST', `${at}/agent/run/${id}/questions/1/answer`, { answer: 'red' })).status, 409)
})
