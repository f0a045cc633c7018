import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, env: { RUNWRIGHT_WORKER_SLOTS: '8' } })
const at = `/v1/organizations/${service.organizationId}`
const times = Array.from({ length: 20 }, (_, n) => n)

type Message = { n: number; prompt: string; taken_seq: number | null }

/** The first turn waits in a step; each further one answers at once. */
const create = (script: object[] = [{ shell: 'sleep 0.3', repeat: 200 }]) =>
  service.call<RunAnswer>('POST', `${at}/agent/run`, {
    prompt: 'Play',
    agent_type: 'scripted',
    metadata: { scripts: [script, [{ answer: 'And done.' }]] },
  })
const act = (id: number, verb: string) => service.call<RunAnswer>('POST', `${at}/agent/run/${id}/${verb}`)
const resume = (id: number, prompt: string) =>
  service.call<RunAnswer>('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt })

/** At different moments of its first turn. */
async function atWork(n: number, script?: object[]): Promise<number> {
  const { id } = await create(script)
  if (n % 4 === 1) await service.untilRun(id, ({ status }) => status === 'in_progress')
  if (n % 4 > 1) await service.untilLogged(id, 1 + (n % 4))
  return id
}

async function assertDone(id: number, turn: number, prompts: string[]): Promise<void> {
  const run = await service.untilRun(id, (one) => one.status === 'completed')
  assert.deepEqual([run['turn'], run['result'], run.error], [turn, 'And done.', null])
  const { items } = await service.call<{ items: Message[] }>('GET', `${at}/agent/run/${id}/messages`)
  assert.deepEqual(
    items.slice(-prompts.length).map(({ prompt }) => prompt),
    prompts,
  )
  assert.ok(
    items.every(({ taken_seq }) => taken_seq !== null),
    JSON.stringify(items),
  )
  const log = await service.log(id)
  const report = log.filter(({ message_type }) => message_type === 'USER_MESSAGE').map(({ observation }) => observation)
  assert.deepEqual(report.slice(-prompts.length), prompts)
}

for (const verb of ['cancel', 'pause'])
  test(`${verb}, and at once another prompt: it always runs, 20 of 20 times`, async () => {
    await Promise.all(
      times.map(async (n) => {
        const id = await atWork(n)
        await act(id, verb)
        await resume(id, `Do this instead ${n}`)
        await assertDone(id, 2, [`Do this instead ${n}`])
      }),
    )
  })

test('several prompts after a stop are read in their order, and one from before it comes with them', async () => {
  const id = await atWork(2, [{ think: 'So.' }, { think: 'Yes.' }, { sleep_ms: 60_000 }])
  await resume(id, 'Before')
  await act(id, 'cancel')
  await resume(id, 'First')
  await resume(id, 'Second')
  await service.untilRun(id, (one) => one.status === 'completed')
  const log = await service.log(id)
  const report = log.filter(({ message_type }) => message_type === 'USER_MESSAGE').map(({ observation }) => observation)
  assert.deepEqual(report, ['Play', 'Before', 'First', 'Second'])
})

test('a stop that comes after the prompt stops that too', async () => {
  const id = await atWork(2, [{ think: 'So.' }, { think: 'Yes.' }, { sleep_ms: 60_000 }])
  await act(id, 'pause')
  await resume(id, 'Do this instead')
  await act(id, 'cancel')
  const run = await service.untilEnded(id)
  assert.deepEqual([run.status, run['turn']], ['cancelled', 1])
})

test('a prompt that comes as a turn fails is its next turn', async () => {
  const { id } = await create([
    { think: 'Soon.' },
    { sleep_ms: 1_500 },
    { fail: { code: 'model_error', message: 'No luck.' } },
  ])
  await service.untilLogged(id, 2)
  await resume(id, 'Try again')
  await assertDone(id, 2, ['Try again'])
  const log = await service.log(id)
  assert.ok(log.some(({ message_type }) => message_type === 'ERROR'))
})
