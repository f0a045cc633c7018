import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import { makeRepository } from '#test/example-repository.ts'
import { s3Settings, startS3Server } from '#test/s3-server.ts'
import { startService, type LogAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const db = await testDb()
const store = await startS3Server()
after(() => store[Symbol.asyncDispose]())
const folder = mkdtempSync(path.join(os.tmpdir(), 'own-agents-'))
chmodSync(folder, 0o755)
after(() => removeTree(folder))
cpSync(path.resolve(import.meta.dirname, '../../programs/acp-agent.mjs'), path.join(folder, 'agent.mjs'))
const agents = path.join(folder, 'agents.json')
writeFileSync(
  agents,
  JSON.stringify([
    { name: 'scripted', title: 'The agent', provider: 'anthropic', folder, command: ['{node}', '{mount}/agent.mjs'] },
  ]),
)
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: {
    RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
    RUNWRIGHT_SECRET_KEY: 'the same secret key in every process',
    RUNWRIGHT_BLOBS: `s3://${s3Settings.bucket}/blobs`,
    RUNWRIGHT_S3_ENDPOINT: store.url,
    RUNWRIGHT_S3_REGION: s3Settings.region,
    RUNWRIGHT_S3_ACCESS_KEY_ID: s3Settings.accessKeyId,
    RUNWRIGHT_S3_SECRET_ACCESS_KEY: s3Settings.secretAccessKey,
    RUNWRIGHT_AGENTS: agents,
    ANTHROPIC_API_KEY: 'sk-1',
  },
})
const at = `/v1/organizations/${service.organizationId}`
const has = (log: LogAnswer[], words: RegExp) => log.some((entry) => words.test(JSON.stringify(entry)))

test('an agent goes on in its session on another machine, with the files as that session knows them', async () => {
  const first = await service.startElsewhere()
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'moved',
    import_from: makeRepository({ 'a.txt': 'a\n' }),
  })
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'DO:fix,wait THEN:count,finish',
    repo_id: repo.id,
    agent_type: 'acp:scripted',
  })
  const holdsFix = `select from checkpoints c join steps s using (organization_id, run_id)
    where run_id = $1 and s.key = 't1/agent/0' and c.step >= s.step`
  await until(async () => (await db.query(holdsFix, [id])).rows.length > 0, 'a checkpoint holds the fix')
  first.child.kill('SIGKILL')
  await service.startElsewhere()
  const run = await service.untilEnded(id)
  const log = await service.log(id)
  assert.equal(run.status, 'completed', JSON.stringify([run.error, log]) + service.said())
  assert.equal(run.result?.startsWith('It is fixed.'), true, String(run.result))
  assert.ok(has(log, /I was told 2 times/), 'it has its session')
  assert.match(await (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text(), /^\+fixed$/m)
})
