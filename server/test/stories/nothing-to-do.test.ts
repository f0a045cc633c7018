import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer } from '#test/model-server.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const model = await startModelServer(() => ({ calls: [{ name: 'finish', input: { summary: 'Done.' } }] }))
const service = await startService({
  databaseUrl: db.url,
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), OPENAI_BASE_URL: `${model.url}/v1`, RUNWRIGHT_MODEL: 'scripted-1' },
})
const at = `/v1/organizations/${service.organizationId}`
const create = (body: object) => service.call<RunAnswer>('POST', `${at}/agent/run`, { prompt: 'Fix it', ...body })

test('a follow-up that finds nothing to do completes, and says so', async () => {
  const script = [{ write: { path: 'b.txt', content: 'b' } }, { shell: 'exit 1' }, { answer: 'Fixed.' }]
  const nothing = [{ fail: { code: 'no_failing_test', message: 'No test fails.' } }]
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'quiet',
    import_from: makeRepository({ 'a.txt': 'a\n' }),
  })
  const { id } = await create({ agent_type: 'scripted', metadata: { scripts: [script, nothing] }, repo_id: repo.id })
  assert.equal((await service.untilEnded(id)).status, 'completed')
  const log = await service.log(id)
  assert.ok(!log.some(({ message_type }) => message_type === 'ERROR'), 'a command that exits with 1 is no ERROR entry')
  const [pull] = (await service.untilRun(id, () => true)).github_pull_requests as unknown as { id: number }[]
  await service.call('POST', `${at}/prs/${pull?.id}/merge`, {})
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Is it all right now?' })
  const run = await service.untilRun(id, (one) => one['turn'] === 2 && ['completed', 'failed'].includes(one.status))
  assert.deepEqual([run.status, run.result, run.error], ['completed', 'No test fails.', null])
  assert.equal((await service.log(id)).at(-1)?.message_type, 'FINAL_ANSWER')
})

test('a first turn with nothing to do fails, as nothing was done', async () => {
  const { id } = await create({
    agent_type: 'scripted',
    metadata: { script: [{ fail: { code: 'no_failing_test', message: 'No test fails.' } }] },
  })
  const run = await service.untilEnded(id)
  assert.deepEqual([run.status, run.error?.code], ['failed', 'no_failing_test'])
})

test('a run that names no model tells which one it has used, and finds runs by each name of its engine', async () => {
  const { id } = await create({ agent_type: 'codegen' })
  const run = await service.untilEnded(id)
  assert.deepEqual([run.status, run['model']], ['completed', 'openai/scripted-1'], JSON.stringify(run.error))
  for (const name of ['codegen', 'builtin']) {
    const { items } = await service.call<{ items: RunAnswer[] }>('GET', `${at}/agent/runs?agent_type=${name}`)
    assert.ok(items.some((one) => one.id === id))
  }
  model.close()
})
