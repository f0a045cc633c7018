import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import { makeRepository } from '#test/example-repository.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), RUNWRIGHT_SANDBOX_DISK_MIB: '64' },
})
const at = `/v1/organizations/${service.organizationId}`

async function runOn(repoId: number | null, options: object = {}) {
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'Make the failing test pass',
    repo_id: repoId,
    ...options,
  })
  const run = await service.untilEnded(made.id)
  const log = await service.log(made.id)
  return { run, last: log.at(-1) }
}

test('a repository without tests ends with what was looked for and what to do', async () => {
  const source = makeRepository({ 'README.md': '# nothing to test\n' })
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'no-tests', import_from: source })
  const { run, last } = await runOn(id)
  assert.deepEqual([run.status, run.error?.code], ['failed', 'no_tests_found'])
  assert.deepEqual([last?.message_type, last?.observation], ['ERROR', run.error?.message])
})

test('a repository whose tests all pass ends by saying that this engine fixes failing tests only', async () => {
  const source = makeRepository({
    'package.json': '{ "type": "module" }',
    'a.test.js': `import { test } from 'node:test'\ntest('holds', () => {})\n`,
  })
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'all-pass', import_from: source })
  const { run } = await runOn(id, { prompt: 'Write me a poem' })
  assert.deepEqual([run.status, run.error?.code], ['failed', 'no_failing_test'])
  assert.match(run.error?.message ?? '', /_API_KEY/)
})

test('an empty repository ends clearly, whatever works on it', async () => {
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'empty' })
  const { run } = await runOn(id)
  assert.deepEqual([run.status, run.error?.code], ['failed', 'no_tests_found'])
  const scripted = await runOn(id, {
    agent_type: 'scripted',
    metadata: { script: [{ write: { path: 'a.txt', content: 'a' } }, { answer: 'Begun.' }] },
  })
  assert.equal(scripted.run.status, 'completed', JSON.stringify(scripted.run.error) + service.said())
  const refused = (await service.log(scripted.run.id)).find((entry) => entry.message_type === 'PR_CREATION_FAILED')
  assert.equal((refused?.observation as { code: string } | undefined)?.code, 'no_base')
})

test('a base branch that is not there is named', async () => {
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'based',
    import_from: makeRepository({ a: 'a' }),
  })
  const { run } = await runOn(id, { base_branch: 'release' })
  assert.deepEqual([run.status, run.error?.code], ['failed', 'base_branch_not_found'])
  assert.match(run.error?.message ?? '', /"release"/)
})

test('a run that changes nothing completes, and says why there is no pull request', async () => {
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'unchanged',
    import_from: makeRepository({ a: 'a' }),
  })
  const { run } = await runOn(id, { agent_type: 'scripted', metadata: { script: [{ answer: 'All is well.' }] } })
  assert.equal(run.status, 'completed')
  const refused = (await service.log(run.id)).find((entry) => entry.message_type === 'PR_CREATION_FAILED')
  assert.equal((refused?.observation as { code: string } | undefined)?.code, 'no_diff')
})

test('what a failed run did is kept on its branch, and a follow-up finds it', async () => {
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'kept',
    import_from: makeRepository({ a: 'a' }),
  })
  const fail = [
    { write: { path: 'half.txt', content: 'half' } },
    { fail: { code: 'stuck', message: 'No idea how to go on.' } },
  ]
  const goOn = [{ shell: 'cat half.txt' }, { answer: 'Went on.' }]
  const { run } = await runOn(id, { agent_type: 'scripted', metadata: { script: fail, scripts: [fail, goOn] } })
  assert.deepEqual([run.status, run.error?.code, run.github_pull_requests.length], ['failed', 'stuck', 0])
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: run.id, prompt: 'Go on' })
  const second = await service.untilRun(run.id, (now) => now['turn'] === 2 && now.status === 'completed')
  assert.equal(second.github_pull_requests.length, 1)
  const [, seen] = (await service.log(run.id)).filter(
    (entry) => entry.tool_name === 'shell' || entry.message_type === 'ACTION',
  )
  assert.match(JSON.stringify(seen?.tool_output), /half/)
})

test('a prompt of 300 KiB is refused, and nothing is made', async () => {
  const { total } = await service.call<{ total: number }>('GET', `${at}/agent/runs`)
  const response = await service.ask('POST', `${at}/agent/run`, { prompt: 'x'.repeat(300 * 1024) })
  const answer = (await response.json()) as { code: string; message: string; status_code: number }
  assert.deepEqual([response.status, answer.code, answer.status_code], [400, 'prompt_too_long', 400])
  assert.equal((await service.call<{ total: number }>('GET', `${at}/agent/runs`)).total, total)
})

test('a bad token is told what is needed', async () => {
  const response = await fetch(`${service.url}${at}/agent/runs`, { headers: { authorization: 'Bearer rw_wrong' } })
  assert.equal(response.status, 401)
  assert.ok(response.headers.get('www-authenticate'))
  assert.match(((await response.json()) as { message: string }).message, /unknown, expired or revoked/)
})

test('a sandbox that fills its disk ends the run with that reason', async () => {
  const { run, last } = await runOn(null, {
    agent_type: 'scripted',
    metadata: { script: [{ shell: 'head -c 200M /dev/zero > big; sleep 600' }, { answer: 'done' }] },
  })
  assert.deepEqual([run.status, run.error?.code], ['failed', 'disk_full'], JSON.stringify(run.error) + service.said())
  assert.equal(last?.message_type, 'ERROR')
})

test('a run that takes longer than it may ends as timeout', async () => {
  const { id } = await service.call<{ id: number }>('POST', '/v1/organizations', { name: 'Slow' })
  const slow = `/v1/organizations/${id}`
  // Nearly a minute has passed already when the worker gets to it.
  await db.query('update run_slots set max_running = 0 where organization_id = $1', [id])
  const script = [{ shell: 'echo begun' }, { sleep_ms: 600_000 }]
  const options = { prompt: 'Wait', agent_type: 'scripted', timeout_minutes: 1, metadata: { script } }
  const made = await service.call<{ id: number }>('POST', `${slow}/agent/run`, options)
  await db.query(`update run_heads set turn_started_at = now() - interval '57 seconds' where run_id = $1`, [made.id])
  await db.query('update run_slots set max_running = 1 where organization_id = $1', [id])
  const run = await service.untilEnded(made.id, undefined, id)
  assert.deepEqual([run.status, run.error?.code], ['failed', 'timeout'])
})
