import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { connect, type AddressInfo, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createServer } from 'node:tls'
import { findPort } from '#process/find-port.ts'
import { makeRepository, receipts } from '#test/example-repository.ts'
import { operate } from '#test/operate.ts'
import { releasedBy, startService } from '#test/service.ts'
import { makeMachine, startRemoteWorker } from '#test/start-remote-worker.ts'
import { testDb } from '#test/test-db.ts'
import { makeCertificate } from '#test/test-proxy.ts'
import { until } from '#test/test-sandboxes.ts'

const token = 'what-remote-workers-show-in-this-test'
const db = await testDb()
const port = await findPort('127.0.0.1')
const service = await startService({
  databaseUrl: db.url,
  env: {
    RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
    RUNWRIGHT_WORKER_SLOTS: '0',
    RUNWRIGHT_REMOTE_WORKERS: `${port}`,
    RUNWRIGHT_WORKER_TOKEN: token,
  },
})
const at = `/v1/organizations/${service.organizationId}`
const front = await openFront()

/** What ends TLS in front of the service, as a proxy of the operator does; it can cut everybody off. */
async function openFront() {
  const { key, certificate, certificateFile } = await makeCertificate(['localhost'])
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ key, cert: certificate }, (client) => {
    if (isCut) return void client.destroy()
    const upstream = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  server.on('tlsClientError', () => {})
  server.listen(0, 'localhost')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    caFile: certificateFile,
    setCut: (cut: boolean) => {
      isCut = cut
      if (cut) for (const socket of sockets) socket.destroy()
    },
  }
}

/** What another machine knows: of the service an address and a token, and nothing else. */
const known = { RUNWRIGHT_SERVICE_URL: front.url, RUNWRIGHT_WORKER_TOKEN: token, RUNWRIGHT_CA_FILE: front.caFile }

const startRemote = (env: Record<string, string> = {}) =>
  startRemoteWorker({ env: { ...known, ...env }, onSaid: (text) => (output += text) })
let output = ''

const workspaceOf = (dataDir: string, id: number) =>
  path.join(dataDir, 'sandboxes', `run-${service.organizationId}-${id}`, 'workspace')

test('a worker with an address and a token of its organization alone fixes a bug and checks its pull request', async () => {
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'receipts',
    import_from: makeRepository({ folder: receipts }),
  })
  const request = { prompt: 'Make the failing test pass', repo_id: repo.id }
  await service.call('PATCH', at, { settings: { own_workers_only: true } })
  const dry = await service.call('POST', `${at}/agent/run`, { ...request, dry_run: true })
  assert.equal(dry['blocked_by'], 'no_own_worker')
  const made = await service.call<{ id: number; token: string }>('POST', `${at}/worker-tokens`, { name: 'ours' })
  const { dataDir, settings } = makeMachine({ RUNWRIGHT_WORKER_TOKEN: made.token })
  const left = path.join(dataDir, 'temporary', `${process.pid}-1`, 'pack-1')
  mkdirSync(left, { recursive: true })
  await startRemote(settings)
  assert.ok(!existsSync(left), 'what a killed one has left is gone')
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, request)
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said() + output)
  assert.equal(run.github_pull_requests.length, 1)
  // Of the service there is what sandboxes are shown, and neither mirrors nor its database.
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['folders', 'place', 'sandboxes', 'temporary', 'trusted.pem'])
  assert.ok(!existsSync(path.join(service.dataDir, 'sandboxes', `run-1-${id}`)))
  await service.ask('DELETE', `${at}/worker-tokens/${made.id}`)
  await until(() => output.includes('The token of this worker was revoked'), 'it is told')
  await service.call('PATCH', at, { settings: { own_workers_only: false } })
})

test('a run goes on where it was when the connection is back, and on another machine when its own has gone', async () => {
  const { child, dataDir } = await startRemote({ RUNWRIGHT_WORKER_LABELS: 'far' })
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'far',
    import_from: makeRepository({ 'a.txt': 'a\n' }),
    labels: ['far'],
  })
  const { id } = await service.play(
    [
      { shell: 'echo one > one.txt; echo kept > ~/home.txt' },
      { shell: releasedBy('first') },
      { shell: 'cat one.txt; echo two > two.txt' },
      { shell: releasedBy('second') },
      { shell: 'cat one.txt two.txt' },
      { answer: 'Done.' },
    ],
    { repo_id: repo.id },
  )
  await until(() => existsSync(path.join(workspaceOf(dataDir, id), 'one.txt')), 'the first command has run')
  const keptAt = async () =>
    (
      await db.query<{ step: number }>(
        'select coalesce(max(step), 0)::int as step from checkpoints where run_id = $1',
        [id],
      )
    ).rows[0]!.step
  const before = await keptAt()
  front.setCut(true)
  await service.untilRun(id, ({ status }) => status === 'queued')
  writeFileSync(path.join(workspaceOf(dataDir, id), '.git/first'), '')
  front.setCut(false)
  await until(() => existsSync(path.join(workspaceOf(dataDir, id), 'two.txt')), 'it went on in the same work tree')
  await until(async () => (await keptAt()) > before, 'what was done since is kept')
  const other = await startRemote({ RUNWRIGHT_WORKER_LABELS: 'far' })
  child.kill('SIGKILL')
  await until(() => existsSync(path.join(workspaceOf(other.dataDir, id), 'two.txt')), 'another machine has its work')
  writeFileSync(path.join(workspaceOf(other.dataDir, id), '.git/second'), '')
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said() + output)
  const log = await service.log(id)
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, index) => index + 1),
  )
  assert.ok(JSON.stringify(log).includes('one\\ntwo'), 'both were there at the end')
})

test('the run of a machine that stands still goes on elsewhere, and the machine ends what it had', async () => {
  const labels = { RUNWRIGHT_WORKER_LABELS: 'still' }
  const { child, dataDir } = await startRemote(labels)
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'still', labels: ['still'] })
  const script = [{ shell: 'touch one.txt' }, { shell: releasedBy('first') }, { answer: 'Done.' }]
  const { id } = await service.play(script, { repo_id: repo.id })
  await until(() => existsSync(path.join(workspaceOf(dataDir, id), 'one.txt')), 'the first command has run')
  child.kill('SIGSTOP')
  await service.untilRun(id, ({ status }) => status === 'queued')
  const other = await startRemote(labels)
  await until(() => existsSync(path.join(workspaceOf(other.dataDir, id), '.git')), 'another machine has the run')
  child.kill('SIGCONT')
  writeFileSync(path.join(workspaceOf(other.dataDir, id), '.git/first'), '')
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said() + output)
  await until(() => !existsSync(workspaceOf(dataDir, id)), 'the first machine has let go of it')
})

test('a worker with another token is told so, and takes nothing', async () => {
  await assert.rejects(
    startRemote({ RUNWRIGHT_WORKER_TOKEN: 'another token, which is as long as it has to be' }),
    /does not accept RUNWRIGHT_WORKER_TOKEN/,
  )
})

test('an operator asks on that machine what holds there, and whether the service lets it in', async () => {
  const good = await operate(['doctor'], makeMachine(known).settings)
  assert.match(good, /Service: https:\/\/localhost:\d+ lets this worker in\nDisk: .*\nSandbox \(\w+\): isolated/)
  assert.ok(!good.includes(token) && !good.includes('Database'))
  const doctorWith = (env: Record<string, string>) => operate(['doctor'], makeMachine({ ...known, ...env }).settings)
  const another = { RUNWRIGHT_WORKER_TOKEN: 'another token, which is as long as it has to be' }
  await assert.rejects(doctorWith(another), /problem: The service does not accept RUNWRIGHT_WORKER_TOKEN/)
  await assert.rejects(doctorWith({ RUNWRIGHT_SERVICE_URL: 'http://127.0.0.1:1' }), /cannot be reached: .*ECONNREFUSED/)
})
