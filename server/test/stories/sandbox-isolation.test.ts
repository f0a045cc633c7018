import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url })
const organization = `/v1/organizations/${service.organizationId}`
const work = { prompt: 'Work', agent_type: 'scripted', metadata: { script: [{ shell: 'true' }, { answer: 'Done.' }] } }

type Sandbox = { id: number; status: string; end_reason: string | null; enforcement: Record<string, string> }
const sandboxesOf = async (runId: number) =>
  (await service.call<{ items: Sandbox[] }>('GET', `${organization}/sandboxes?agent_run_id=${runId}`)).items
const start = () => service.call<{ id: number }>('POST', `${organization}/agent/run`, work)
const require = (sandbox_require: object) =>
  service.call<{ settings: { sandbox_require: object } }>('PATCH', organization, { settings: { sandbox_require } })

test('shows in which sandboxes a run worked, and how their limits were held', async () => {
  const { id } = await start()
  assert.partialDeepStrictEqual(await service.untilEnded(id), { status: 'completed' })
  await until(async () => (await sandboxesOf(id))[0]?.status === 'ended', 'the end is written down')
  const [sandbox, ...others] = await sandboxesOf(id)
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(sandbox, { agent_run_id: id, provider: 'bubblewrap', end_reason: 'the turn ended' })
  assert.deepEqual(Object.keys(sandbox!.enforcement).toSorted(), [
    'cpu',
    'disk',
    'kill',
    'memory',
    'network',
    'processes',
  ])
  assert.partialDeepStrictEqual(sandbox!.enforcement, { network: 'kernel', kill: 'kernel', disk: 'polled' })
  assert.deepEqual(await service.call('GET', `${organization}/sandboxes/${sandbox!.id}`), sandbox)
})

test('refuses runs of an organization that requires more than any machine gives, and says what lacks', async () => {
  const { id: earlier } = await start()
  await service.untilEnded(earlier)
  assert.partialDeepStrictEqual(await require({ disk: 'kernel', kill: 'kernel' }), {
    settings: { sandbox_require: { disk: 'kernel', kill: 'kernel' } },
  })
  const refused = await service.ask('POST', `${organization}/agent/run`, work)
  assert.equal(refused.status, 409)
  const why = 'disk by "kernel", and here it is "polled"'
  assert.partialDeepStrictEqual(await refused.json(), {
    code: 'sandbox_too_weak',
    message: `The organization requires stronger sandbox limits than this worker can enforce: ${why}.`,
  })

  const dryRun = await service.call('POST', `${organization}/agent/run`, { ...work, dry_run: true })
  assert.partialDeepStrictEqual(dryRun, { blocked_by: 'sandbox_too_weak' })

  const before = (await sandboxesOf(earlier)).length
  await service.call('POST', `${organization}/agent/run/resume`, { agent_run_id: earlier, prompt: 'Go on' })
  assert.partialDeepStrictEqual(await service.untilEnded(earlier), {
    status: 'failed',
    error: { code: 'sandbox_too_weak' },
  })
  assert.equal((await sandboxesOf(earlier)).length, before, 'nothing ran')

  assert.deepEqual((await require({})).settings.sandbox_require, {})
  const { id } = await start()
  assert.partialDeepStrictEqual(await service.untilEnded(id), { status: 'completed' })
})
