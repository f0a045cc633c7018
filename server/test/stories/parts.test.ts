import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '#test/list-processes.ts'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import { startService, untilReleased } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const partOf = (supervisor: number, name: string) =>
  listProcesses().find(({ parent, words }) => parent === supervisor && words.includes(name))?.pid

async function until<T>(look: () => T | Promise<T>, what: string): Promise<NonNullable<T>> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`waited for ${what} in vain`)
    await sleep(20)
  }
}

test('a part that is killed is started again, at the same address, and the other works on', async () => {
  const db = await testDb()
  const service = await startService({ databaseUrl: db.url })
  const supervisor = service.child.pid!
  const at = `/v1/organizations/${service.organizationId}/agent`
  const script = [{ shell: 'echo first' }, { shell: untilReleased }, { answer: 'Done.' }]
  const { id } = await service.call<{ id: number }>('POST', `${at}/run`, {
    prompt: 'Wait',
    agent_type: 'scripted',
    metadata: { script },
  })
  await service.untilLogged(id, 2)
  for (const name of ['worker', 'api']) {
    const killed = partOf(supervisor, name)!
    process.kill(killed, 'SIGKILL')
    // What is not ended goes on meanwhile.
    if (name === 'worker') assert.equal((await service.ask('GET', '/healthz')).status, 200)
    await until(() => {
      const found = partOf(supervisor, name)
      return found !== undefined && found !== killed
    }, `another ${name}`)
    await until(
      () =>
        service.ask('GET', '/readyz').then(
          (answer) => answer.status === 200,
          () => false,
        ),
      'the API',
    )
  }
  await until(async () => (await service.untilRun(id, () => true)).status === 'in_progress', 'the run to be taken over')
  await until(
    () => existsSync(path.join(service.dataDir, 'sandboxes', `run-${service.organizationId}-${id}`)),
    'its files',
  )
  service.release(id)
  const run = await service.untilEnded(id)
  assert.deepEqual([run.status, run.result], ['completed', 'Done.'], service.said())
})

test('what cannot start says why and leaves nothing behind', async () => {
  const db = await testDb()
  const env = { RUNWRIGHT_SECRET_KEY: 'the same secret key in every process' }
  const service = await startService({ databaseUrl: db.url, role: 'api', env })
  await assert.rejects(
    startService({ databaseUrl: db.url, env: { ...env, PORT: new URL(service.url).port } }),
    /ended with 1: .*Port \d+ is used by another Runwright/s,
  )
})

for (const whom of ['npm', 'its process group'] as const) {
  test(`SIGTERM to ${whom} ends the API, the worker and the embedded PostgreSQL`, async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'rw-parts-'))
    chmodSync(dataDir, 0o711)
    after(() => removeTree(dataDir))
    const npm = spawn('npm', ['start', '--ignore-scripts'], {
      cwd: path.resolve(import.meta.dirname, '../../..'),
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: '0',
        RUNWRIGHT_DATA_DIR: dataDir,
        RUNWRIGHT_LOG_LEVEL: 'warn',
        RUNWRIGHT_DRAIN_SECONDS: '0',
      },
    })
    const lines = createInterface({ input: npm.stdout })
    for await (const line of lines) if (line.includes('is ready')) break
    const ours = () => {
      const roots = new Set([npm.pid!])
      const all = listProcesses()
      for (let before = 0; before < roots.size;) {
        before = roots.size
        for (const { pid, parent, words } of all)
          if (roots.has(parent) || words.some((word) => word.includes(dataDir))) roots.add(pid)
      }
      return all.filter(({ pid }) => roots.has(pid))
    }
    const names = ours().flatMap(({ words }) => words)
    for (const word of ['api', 'worker']) assert.ok(names.includes(word), `${word} is among ${names.join(' ')}`)
    assert.ok(names.some((word) => word.endsWith('/bin/postgres')))
    const before = ours().map(({ pid }) => pid)
    const ended = once(npm, 'exit')
    process.kill(whom === 'npm' ? npm.pid! : -npm.pid!, 'SIGTERM')
    await ended
    await until(() => listProcesses().every(({ pid }) => !before.includes(pid)), 'all to have ended')
  })
}
