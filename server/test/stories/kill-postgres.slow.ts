import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readProcess } from '#base/read-process.ts'
import { listProcesses } from '#test/list-processes.ts'
import { checkLog, findBackend, findPostgres, untilReady, useService } from '#test/kill-postgres.ts'
import { startService, untilReleased, type RunAnswer, type Service } from '#test/service.ts'

const kills = 20
const runs = '/v1/organizations/1/agent/run'

async function until(condition: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (const end = Date.now() + 90_000; !(await condition()); await sleep(50)) assert.ok(Date.now() < end, what())
}

const startRun = (service: Service) =>
  service.call<RunAnswer>('POST', runs, {
    prompt: 'Go',
    agent_type: 'scripted',
    metadata: {
      script: [{ shell: 'echo before' }, { shell: untilReleased }, { shell: 'echo after' }, { answer: 'Done.' }],
    },
  })

async function endRun(service: Service, id: number): Promise<void> {
  service.release(id)
  const ended = await service.untilEnded(id)
  assert.deepEqual([ended.status, ended.result], ['completed', 'Done.'])
  await checkLog(service, id)
}

const service = await startService({ databaseUrl: '' })

describe('the embedded PostgreSQL', () => {
  test(
    `is killed ${kills} times in a row under load, and nothing that was accepted is lost`,
    { timeout: 600_000 },
    async () => {
      const run = await startRun(service)
      await service.untilLogged(run.id, 2)
      const stop = new AbortController()
      const using = useService(service, stop.signal)
      for (let n = 0; n < kills; n++) {
        await until(() => findPostgres(service) !== undefined, service.said)
        process.kill(findPostgres(service)!, 'SIGKILL')
        // Sometimes while it is still starting, sometimes at work.
        await sleep((n % 5) * 600)
      }
      await untilReady(service)
      stop.abort()
      const accepted = await using
      await endRun(service, run.id)
      for (const id of accepted) assert.equal((await service.untilEnded(id)).status, 'completed')
    },
  )

  test('is frozen: that is said, it is not killed, and goes on where it was', { timeout: 300_000 }, async () => {
    const run = await startRun(service)
    await service.untilLogged(run.id, 2)
    const pid = findPostgres(service)!
    process.kill(pid, 'SIGSTOP')
    await until(() => service.said().includes('runs and does not answer'), service.said)
    assert.equal((await service.ask('GET', '/healthz')).status, 200)
    process.kill(pid, 'SIGCONT')
    await until(() => service.said().includes('answers again'), service.said)
    assert.equal(findPostgres(service), pid)
    await untilReady(service)
    await endRun(service, run.id)
  })

  test('is frozen with all its processes: answers are 503 until it wakes', { timeout: 300_000 }, async () => {
    const pid = findPostgres(service)!
    const all = [pid, ...childrenOf(pid)]
    for (const each of all) process.kill(each, 'SIGSTOP')
    try {
      await until(async () => (await service.ask('GET', '/statusz')).status === 503, service.said)
      assert.equal((await service.ask('GET', `${runs}s`)).status, 503)
    } finally {
      for (const each of all) signalIfAlive(each, 'SIGCONT')
    }
    await untilReady(service)
    assert.equal(findPostgres(service), pid)
  })

  test('is killed while one of its processes is frozen, which holds its memory', { timeout: 300_000 }, async () => {
    const [pid, backend] = [findPostgres(service)!, findBackend(service)!]
    process.kill(backend, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    await until(() => ![undefined, pid].includes(findPostgres(service)), service.said)
    await untilReady(service)
    // Whether the machine's first process has collected it already is not ours to say.
    assert.ok(readProcess(backend)?.hasEnded ?? true, 'what held it has ended')
  })
})

const isRoot = process.getuid?.() === 0

test(
  'a disk that is full under PostgreSQL: runs wait, and go on when there is room',
  { skip: !isRoot, timeout: 600_000 },
  async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-full-'))
    chmodSync(dataDir, 0o711)
    const folder = path.join(dataDir, 'postgres')
    mkdirSync(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m', 'tmpfs', folder])
    await using stack = new AsyncDisposableStack()
    stack.defer(() => {
      execFileSync('umount', ['-l', folder])
      rmSync(dataDir, { recursive: true, force: true })
    })
    const ends: (() => Promise<void>)[] = []
    stack.defer(async () => {
      for (const end of ends) await end()
    })
    const defer = (end: () => Promise<void>) => void ends.push(end)
    const service = {
      ...(await startService({ databaseUrl: '', env: { RUNWRIGHT_DATA_DIR: dataDir }, defer })),
      dataDir,
    }
    const run = await startRun(service)
    await service.untilLogged(run.id, 2)
    const filler = path.join(folder, 'filler')
    fill(filler)
    const big = { prompt: 'x'.repeat(200_000), agent_type: 'scripted', metadata: { script: [{ answer: 'Done.' }] } }
    let refused: Response | undefined
    const accepted: number[] = []
    await until(async () => {
      const answer = await service.ask('POST', runs, big)
      if (answer.status === 503) refused = answer
      else {
        assert.equal(answer.status, 200, await answer.clone().text())
        accepted.push(((await answer.json()) as RunAnswer).id)
      }
      return refused !== undefined
    }, service.said)
    assert.ok(Number(refused?.headers.get('retry-after')) > 0)
    assert.equal((await service.ask('GET', '/statusz')).status, 503)
    await sleep(3_000)
    rmSync(filler)
    await untilReady(service)
    const sandbox = path.join(dataDir, 'sandboxes', `run-1-${run.id}`, 'workspace/.git')
    await until(() => readdirSync(path.join(dataDir, 'sandboxes')).includes(`run-1-${run.id}`), service.said)
    await until(() => {
      try {
        writeFileSync(path.join(sandbox, 'released'), '')
        return true
      } catch {
        return false
      }
    }, service.said)
    const ended = await service.untilEnded(run.id, 120_000)
    assert.deepEqual([ended.status, ended.result], ['completed', 'Done.'])
    await checkLog(service, run.id)
    for (const id of accepted) assert.equal((await service.untilEnded(id, 120_000)).status, 'completed')
  },
)

function fill(file: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { stdio: 'ignore' })
  } catch {
    // There is no room left, as wanted.
  }
}

const childrenOf = (pid: number) =>
  listProcesses()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid)

function signalIfAlive(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
