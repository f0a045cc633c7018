import assert from 'node:assert/strict'
import { execFileSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { makeRepository } from '#test/example-repository.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, role: 'api', env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
const at = `/v1/organizations/${service.organizationId}`
const steps = 20

test('a worker killed in the middle of a run of 20 steps loses nothing: another goes on where it stood', async (t) => {
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'counted',
    import_from: makeRepository({ 'a.txt': 'a\n' }),
  })
  const workers = [await service.startWorker(), await service.startWorker()]
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'Count',
    repo_id: repo.id,
    agent_type: 'scripted',
    // Each step leaves a line, so that a step done twice is seen.
    metadata: { script: [{ shell: 'echo step {n} >> steps.txt; sleep 0.1', repeat: steps }, { answer: 'Counted.' }] },
  })
  await service.untilLogged(made.id, 8)
  const victim = workers[await indexOfHolder(workers, made.id)]!
  const seen = (await service.log(made.id)).length
  victim.kill('SIGKILL')
  const killedAt = performance.now()
  await service.untilLogged(made.id, seen + 2)
  const takeoverMs = performance.now() - killedAt
  t.diagnostic(`taken over and two entries on after ${Math.round(takeoverMs)} ms`)
  assert.ok(takeoverMs < 20_000, `taken over after ${Math.round(takeoverMs)} ms`)

  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const log = await service.log(made.id)
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, index) => index + 1),
  )
  const actions = log.filter((entry) => entry.message_type === 'ACTION')
  assert.deepEqual(
    actions.map((entry) => /step (\d+)/.exec(String(entry.tool_input?.['command']))?.[1]),
    Array.from({ length: steps }, (_, index) => String(index + 1)),
  )
  const repeated = actions.filter((entry) => entry.tool_output?.['repeated'])
  assert.ok(repeated.length <= 1, `${repeated.length} steps say that they were repeated`)

  const diff = await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text()
  const lines = [...diff.matchAll(/^\+step (\d+)$/gm)].map((match) => Number(match[1]))
  for (let step = 1; step <= steps; step++) {
    const times = lines.filter((line) => line === step).length
    const isMarked = repeated.some((entry) => String(entry.tool_input?.['command']).includes(`step ${step} `))
    assert.ok(times === 1 || (times === 2 && isMarked), `step ${step} was done ${times} times`)
  }
  assert.equal(leftOf(victim.pid ?? 0), '')
  for (const worker of workers) worker.kill('SIGTERM')
})

/** Workers are named after the machine and their process. */
async function indexOfHolder(workers: ChildProcess[], runId: number): Promise<number> {
  const { rows } = await db.query(
    'select w.name from run_heads h join workers w on w.id = h.worker_id where h.run_id = $1',
    [runId],
  )
  return workers.findIndex(({ pid }) => rows[0].name.includes(`-${pid}-`))
}

/** Processes that a dead worker would have left: none, because its sandbox dies with it. */
function leftOf(pid: number): string {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return processes
    .split('\n')
    .filter((line) => Number(line.trim().split(/\s+/)[1]) === pid)
    .join('\n')
}

test('a work tree whose making was cut off is not taken for the one that it was to replace', async () => {
  const made = await service.play(
    [{ shell: 'echo step {n} >> steps.txt; sleep 0.1', repeat: 30 }, { answer: 'Counted.' }],
    { prompt: 'Count' },
  )
  const first = await service.startWorker()
  await service.untilLogged(made.id, 8)
  await killed(first)
  await rm(path.join(service.dataDir, 'sandboxes', `run-${service.organizationId}-${made.id}`), { recursive: true })
  const second = await service.startWorker({ RUNWRIGHT_CRASH_AT: 'sandbox.started' })
  await new Promise((resolve) => second.once('exit', resolve))
  const third = await service.startWorker()
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const diff = await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text()
  const lines = [...diff.matchAll(/^\+step (\d+)$/gm)].map((match) => Number(match[1]))
  assert.deepEqual(
    [...new Set(lines)],
    Array.from({ length: 30 }, (_, index) => index + 1),
  )
  third.kill('SIGTERM')
})

test('locks of a git that was killed with its worker keep nobody from committing', async () => {
  const first = await service.startWorker()
  const lock = 'test -e once || { touch once .git/index.lock .git/HEAD.lock; sleep 600; }'
  const made = await service.play([{ shell: 'echo a > a.txt' }, { shell: lock }, { answer: 'Counted.' }], {
    prompt: 'Count',
  })
  const sandbox = path.join(service.dataDir, 'sandboxes', `run-${service.organizationId}-${made.id}`)
  await service.untilRun(made.id, () => existsSync(path.join(sandbox, 'workspace', '.git', 'HEAD.lock')))
  await killed(first)
  const second = await service.startWorker()
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  assert.match(await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text(), /^\+a$/m)
  second.kill('SIGTERM')
})

async function killed(worker: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await ended
}

test('a worker that is told to end hands its runs over at once', async () => {
  const workers = [await service.startWorker(), await service.startWorker()]
  const made = await service.play([{ shell: 'echo {n}; sleep 0.1', repeat: 15 }, { answer: 'Counted.' }], {
    prompt: 'Count',
  })
  await service.untilLogged(made.id, 5)
  const first = workers[await indexOfHolder(workers, made.id)]!
  const ended = new Promise((resolve) => first.once('exit', resolve))
  const toldAt = performance.now()
  first.kill('SIGTERM')
  await ended
  assert.ok(performance.now() - toldAt < limits.drainMs / 2)
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const actions = (await service.log(made.id)).filter((entry) => entry.message_type === 'ACTION')
  assert.equal(actions.length, 15)
  for (const worker of workers) worker.kill('SIGTERM')
})
