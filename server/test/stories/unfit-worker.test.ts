import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makeRepository } from '#test/example-repository.ts'
import { startService, untilReleased, type RunAnswer, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const key = { RUNWRIGHT_SECRET_KEY: 'the same secret key in every process', RUNWRIGHT_IMPORT_PATHS: os.tmpdir() }

async function startApi(): Promise<{ service: Service; db: Awaited<ReturnType<typeof testDb>> }> {
  const db = await testDb()
  return { service: await startService({ databaseUrl: db.url, role: 'api', env: key }), db }
}

const startRuns = ({ play }: Service, count: number) =>
  Promise.all(Array.from({ length: count }, () => play([{ shell: 'echo done > done.txt' }, { answer: 'Done.' }])))

const untilAllEnded = async (service: Service, made: { id: number }[]): Promise<RunAnswer[]> =>
  Promise.all(made.map(({ id }) => service.untilEnded(id)))

test('a run that fails by the fault of one worker is done by another, and that one goes on when it can', async () => {
  const { service, db } = await startApi()
  const made = await startRuns(service, 2)
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'broken-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))
  chmodSync(dataDir, 0o711)
  // Where their sandboxes would lie something else does; what else is asked of a machine it has.
  mkdirSync(path.join(dataDir, 'sandboxes'))
  for (const { id } of made)
    writeFileSync(path.join(dataDir, 'sandboxes', `run-${service.organizationId}-${id}`), 'no folder')
  await service.startElsewhere({ RUNWRIGHT_DATA_DIR: dataDir, RUNWRIGHT_WORKER_SLOTS: '2' })
  const failedHere = () => service.said().split('run_failed_by_node').length - 1
  await until(() => failedHere() >= made.length, 'both have failed there', 60_000)
  for (const { id } of made) await service.untilRun(id, ({ status }) => status === 'queued')

  const fit = await service.startElsewhere({ RUNWRIGHT_WORKER_SLOTS: '2' })
  const runs = await untilAllEnded(service, [...made, ...(await startRuns(service, 4))])
  for (const run of runs) assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const { rows } = await db.query('select max(claims) as claims, max(node_faults) as faults from run_heads')
  assert.deepEqual(rows, [{ claims: 0, faults: 0 }])

  const ended = new Promise((resolve) => fit.child.once('exit', resolve))
  fit.child.kill('SIGTERM')
  await ended
  const [next] = await startRuns(service, 1)
  const run = await service.untilEnded(next!.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
})

test("what is a run's own fault ends it at once, wherever it works", async () => {
  const { service, db } = await startApi()
  await service.startElsewhere()
  const script = [
    { shell: 'echo "ENOSPC: no space left on device" >&2; exit 28' },
    { fail: { code: 'model_error', message: 'ENOSPC: no space left on device, write' } },
  ]
  const made = await service.play(script, { prompt: 'Fail' })
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'failed')
  assert.doesNotMatch(service.said(), /run_failed_by_node|worker_unfit/)
  const { rows } = await db.query('select node_faults from run_heads where run_id = $1', [made.id])
  assert.deepEqual(rows, [{ node_faults: 0 }])
})

test('a run whose setup fails while the disk of its worker is broken goes to another; there it is its own fault', async () => {
  const { service, db } = await startApi()
  const at = `/v1/organizations/${service.organizationId}`
  const source = makeRepository({ 'a.txt': 'a\n' })
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'prepared', import_from: source })
  const setup = { setup_commands: `${untilReleased}; exit 7`, setup_required: true }
  await service.call('PATCH', `${at}/repos/${repo.id}`, setup)
  const { id } = await service.play([{ answer: 'Done.' }], { repo_id: repo.id })
  const startWorker = () => service.startElsewhere({ RUNWRIGHT_SNAPSHOTS_MIB: '0' })
  const gitOf = (dataDir: string) =>
    path.join(dataDir, 'sandboxes', `run-${service.organizationId}-${id}`, 'workspace', '.git')
  const untilThere = (dataDir: string) =>
    until(() => existsSync(path.join(gitOf(dataDir), 'index')), 'the code is there', 60_000)

  const { dataDir } = await startWorker()
  await untilThere(dataDir)
  const temporary = path.join(dataDir, 'temporary')
  rmSync(temporary, { recursive: true })
  writeFileSync(temporary, 'no folder')
  writeFileSync(path.join(gitOf(dataDir), 'released'), '')
  await service.untilRun(id, ({ status }) => status !== 'in_progress')
  assert.match(service.said(), /run_failed_by_node/, service.said())

  const fit = await startWorker()
  await untilThere(fit.dataDir)
  const counted = () => db.query('select claims, node_faults as faults from run_heads where run_id = $1', [id])
  assert.deepEqual((await counted()).rows, [{ claims: 1, faults: 1 }])
  writeFileSync(path.join(gitOf(fit.dataDir), 'released'), '')
  const run = await service.untilEnded(id)
  assert.deepEqual([run.status, run.error?.code], ['failed', 'setup_failed'], service.said())
  assert.match(run.error?.message ?? '', /exit code 7/)
})
