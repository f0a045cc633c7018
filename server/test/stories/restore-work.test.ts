import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import { makeRepository } from '#test/example-repository.ts'
import { s3Settings, startS3Server } from '#test/s3-server.ts'
import { startProcess, startService, stopProcess, type LogAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const store = await startS3Server()
after(() => store[Symbol.asyncDispose]())
const shared = mkdtempSync(path.join(os.tmpdir(), 'runwright-shared-'))
chmodSync(shared, 0o711)
after(() => rm(shared, { recursive: true, force: true }))
const env = {
  RUNWRIGHT_SECRET_KEY: 'the secret key of all machines of this test',
  RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
  RUNWRIGHT_GIT_DIR: path.join(shared, 'git'),
  RUNWRIGHT_BLOBS: `s3://${s3Settings.bucket}/blobs`,
  RUNWRIGHT_S3_ENDPOINT: store.url,
  RUNWRIGHT_S3_REGION: s3Settings.region,
  RUNWRIGHT_S3_ACCESS_KEY_ID: s3Settings.accessKeyId,
  RUNWRIGHT_S3_SECRET_ACCESS_KEY: s3Settings.secretAccessKey,
}
const service = await startService({ databaseUrl: db.url, role: 'api', env })
const at = `/v1/organizations/${service.organizationId}`

type Machine = { dataDir: string; child: ChildProcess; lose(): Promise<void> }

/** A worker with a data folder of its own, as on a machine of its own. */
async function startMachine(): Promise<Machine> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-machine-'))
  chmodSync(dataDir, 0o711)
  const { child, ready } = startProcess('worker', {
    env: { ...env, DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: dataDir },
    onSaid: (text) => (said = `${said}${text}`.slice(-20_000)),
  })
  after(async () => {
    await stopProcess(child)
    await removeTree(dataDir)
  })
  await ready
  return {
    dataDir,
    child,
    lose: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await removeTree(dataDir)
    },
  }
}
let said = ''

let repositories = 0
async function makeRepo(files: Record<string, string> = { 'a.txt': 'a\n' }): Promise<number> {
  const name = `counted-${++repositories}`
  return (await service.call<{ id: number }>('POST', `${at}/repos`, { name, import_from: makeRepository(files) })).id
}

const create = async (script: object[], more: object = {}) => {
  const body = { prompt: 'Count', repo_id: await makeRepo(), agent_type: 'scripted', metadata: { script }, ...more }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}
const count = (steps: number) => ({ shell: 'echo step {n} >> steps.txt; sleep 0.1', repeat: steps })
const newest = async (runId: number) =>
  (
    await db.query<{ n: number; step: number; sha256: string }>(
      'select n, step, sha256 from checkpoints where run_id = $1 order by n desc',
      [runId],
    )
  ).rows
async function untilKept(runId: number, n = 1): Promise<void> {
  const until = Date.now() + 20_000
  while (((await newest(runId))[0]?.n ?? 0) < n) {
    assert.ok(Date.now() < until, `no checkpoint ${n} of run ${runId}\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const diffOf = async (id: number) => (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text()
const stepsIn = (diff: string) => [...diff.matchAll(/^\+step (\d+)$/gm)].map((match) => Number(match[1]))
const upTo = (steps: number) => Array.from({ length: steps }, (_, index) => index + 1)

function restoredIn(log: LogAnswer[]): { thought: string; observation: Record<string, unknown> }[] {
  return log.flatMap(({ message_type, thought, observation }) =>
    message_type === 'PLAN_EVALUATION' && (observation as Record<string, unknown> | null)?.['restored_from']
      ? [{ thought: thought ?? '', observation: observation as Record<string, unknown> }]
      : [],
  )
}

async function completed(id: number) {
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + said)
  return run
}

test('a worker and its folder are lost: another machine goes on from the last checkpoint and says what was lost', async () => {
  const first = await startMachine()
  const id = await create([{ write: { path: 'early.txt', content: 'early\n' } }, count(30), { answer: 'Counted.' }])
  await untilKept(id)
  await service.untilLogged(id, (await service.log(id)).length + 4)
  await first.lose()
  const second = await startMachine()
  const run = await completed(id)
  const log = await service.log(id)
  assert.deepEqual(
    log.map(({ seq }) => seq),
    upTo(log.length),
  )
  const [restored, ...more] = restoredIn(log)
  assert.equal(more.length, 0)
  assert.partialDeepStrictEqual(restored?.observation, { restored_from: 'checkpoint', reason: 'other_machine' })
  const lost = restored?.observation['lost'] as string[]
  assert.ok(lost.length > 0 && lost.every((words) => /^shell: echo step \d+ >> steps\.txt/.test(words)), `${lost}`)
  assert.match(restored?.thought ?? '', /^The work goes on from the checkpoint after step \d+/)
  const again = log.filter(({ tool_output }) => tool_output?.['repeated'])
  assert.ok(again.length >= lost.length && again.length <= lost.length + 1)
  const diff = await diffOf(id)
  assert.match(diff, /^\+early$/m)
  assert.deepEqual(stepsIn(diff), upTo(30))
  assert.equal(run.github_pull_requests.length, 1)
  assert.deepEqual(await newest(id), [], 'once the work is on its branch no checkpoint is kept')
  assert.deepEqual(
    readdirSync(path.join(second.dataDir, 'sandboxes')).filter((name) => name.startsWith('run-')),
    [],
  )
  second.child.kill('SIGTERM')
})
