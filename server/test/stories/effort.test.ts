import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const finish: ScriptedReply = { calls: [{ name: 'finish', input: { summary: 'Done.' } }] }
const model = await startModelServer(({ body }) =>
  body['model'] === 'broken' ? { status: 401, message: 'no' } : finish,
)
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  env: { OPENAI_BASE_URL: `${model.url}/v1`, RUNWRIGHT_MODEL: 'scripted-1' },
})
const at = `/v1/organizations/${service.organizationId}`
const create = (more: object) =>
  service.call<RunAnswer & { configuration: Record<string, unknown> }>('POST', `${at}/agent/run`, {
    prompt: 'Hello.',
    agent_type: 'builtin',
    ...more,
  })
async function effortOf(more: object): Promise<unknown> {
  const run = await create(more)
  assert.equal((await service.untilEnded(run.id)).status, 'completed')
  return model.requests.at(-1)?.body['reasoning_effort']
}

test('a run’s effort comes before its organization’s, and a server of one’s own is told only what somebody chose', async () => {
  assert.equal(await effortOf({}), undefined)
  await service.call('PATCH', at, { default_effort: 'low' })
  assert.equal(await effortOf({}), 'low')
  assert.equal(await effortOf({ effort: 'high' }), 'high')
  const { configuration } = await create({ dry_run: true })
  assert.deepEqual([configuration['effort'], configuration['model']], ['low', 'scripted-1'])
  await service.call('PATCH', at, { default_effort: null })
  assert.equal((await create({ dry_run: true })).configuration['effort'], 'medium')
  await assert.rejects(create({ effort: 'enormous' }), /effort/)
})

test('the default models of an organization are asked in their order, and the run shows which one answered', async () => {
  await service.call('PATCH', at, { default_models: ['broken', 'other'] })
  const run = await create({ max_model_calls: 20 })
  assert.equal((await service.untilEnded(run.id)).status, 'completed')
  const read = await service.call('GET', `${at}/agent/run/${run.id}`)
  assert.deepEqual([read['model'], read['max_model_calls'], read['effort']], ['openai/other', 20, null])
  assert.match(JSON.stringify(await service.log(run.id)), /openai\/other is asked instead/)
  const changed = await service.call('PATCH', `${at}/agent/run/${run.id}`, {
    effort: 'high',
    max_model_calls: null,
  })
  assert.deepEqual([changed['effort'], changed['max_model_calls']], ['high', null])
  await service.call('PATCH', at, { default_models: [] })
})
