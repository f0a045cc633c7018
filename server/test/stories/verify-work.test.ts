/** What an agent has done is tested once more where nothing is that it left, before its pull request opens. */
import assert from 'node:assert/strict'
import os from 'node:os'
import { after, test } from 'node:test'
import { rows } from '#db/pool.ts'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer } from '#test/model-server.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const command = 'grep -c b b.txt'
const finish = {
  calls: [{ name: 'finish', input: { summary: 'Written.', checks: [{ command }, { command: 'npm test' }] } }],
}
const db = await testDb()
const model = await startModelServer([
  { calls: [{ name: 'write', input: { path: 'b.txt', content: 'b\n' } }] },
  { calls: [{ name: 'shell', input: { command } }] },
  finish,
  finish,
])
after(() => model[Symbol.asyncDispose]())
const env = {
  RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
  OPENAI_BASE_URL: `${model.url}/v1`,
  OPENAI_API_KEY: 'sk-test',
}
const service = await startService({ databaseUrl: db.url, role: 'api', env })
const at = `/v1/organizations/${service.organizationId}`

type Pull = { id: number; body: string }

async function makeRepo(check_commands: object[]): Promise<number> {
  const import_from = makeRepository({ 'a.txt': 'a\n', '.gitignore': 'built.txt\n' })
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: `verified-${check_commands.length}`,
    import_from,
  })
  await service.call('PATCH', `${at}/repos/${id}`, { check_commands })
  return id
}

async function pullOf(runId: number): Promise<Pull> {
  const { items } = await service.call<{ items: Pull[] }>('GET', `${at}/prs?run_id=${runId}`)
  assert.equal(items.length, 1)
  return items[0]!
}

test('what passed only by what the agent left is shown as failed; a lost worker runs nothing twice', async () => {
  const first = await service.startWorker()
  const repo_id = await makeRepo([
    { name: 'build', command: 'cat built.txt' },
    { name: 'slow', command: 'cat b.txt; sleep 3' },
    { name: 'elsewhere', command: 'exit 7', path: 'docs' },
  ])
  const script = [{ shell: 'echo b > b.txt; echo built > built.txt; cat built.txt' }, { answer: 'Done.' }]
  const { id } = await service.play(script, { prompt: 'Work', repo_id })
  const atWork = async () =>
    (await rows(db, `select from checks where status = 'in_progress' and name = 'slow'`)).length
  await until(async () => (await atWork()) > 0, 'the slow check is at work', 60_000)
  assert.equal((await service.call<{ items: Pull[] }>('GET', `${at}/prs?run_id=${id}`)).items.length, 0)
  first.kill('SIGKILL')
  await service.startWorker()
  assert.equal((await service.untilEnded(id)).status, 'completed')
  const { id: pullId, body } = await pullOf(id)
  assert.match(
    body,
    /Done\.\n\nChecks:\n- `cat built\.txt`, run once more in a clean work tree of [0-9a-f]{7}: failed\. Exit code 1\..*\n- `cat b\.txt; sleep 3`, run .*: passed in [34] s\n\n/,
  )
  const seen = (await service.log(id)).filter(({ tool_name }) => tool_name === 'verify')
  assert.deepEqual(
    seen.map(({ tool_output: output }) => [output?.['conclusion'], output?.['exit_code']]),
    [
      ['failure', 1],
      ['success', 0],
    ],
  )
  const { items } = await service.call<{ items: { name: string }[] }>('GET', `${at}/prs/${pullId}/checks`)
  assert.ok(['build', 'slow'].every((name) => items.some((check) => check.name === name)))
})

test('without commands of the repository the agent’s own last one runs again, as the first of its checks', async () => {
  const repo_id = await makeRepo([])
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'Write b',
    repo_id,
    agent_type: 'builtin',
  })
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error))
  const { body } = await pullOf(id)
  assert.match(
    body,
    /Checks:\n- `grep -c b b\.txt`, run once more .*: passed in \d s\n- `grep -c b b\.txt`: passed, .*\n- `npm test`: not run here\n/,
  )
})
