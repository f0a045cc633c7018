import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { git } from '#test/example-repository.ts'
import { startModelServer } from '#test/model-server.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const db = await testDb()
const model = await startModelServer(() => ({ fault: 'hang' }))
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  env: {
    RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
    RUNWRIGHT_WORKER_SLOTS: '4',
    OPENAI_BASE_URL: `${model.url}/v1`,
    RUNWRIGHT_MODEL: 'scripted-1',
  },
})
const at = `/v1/organizations/${service.organizationId}`
/** Much longer than a stop takes, also on a busy machine, and much shorter than what is stopped. */
const stopMsMax = 30_000
/** Of the runs that were stopped: how long their logs were then. */
const stopped = new Map<number, number>()

const create = (body: object) => service.call<RunAnswer>('POST', `${at}/agent/run`, body)
const act = (id: number, verb: string) => service.call<RunAnswer>('POST', `${at}/agent/run/${id}/${verb}`)

/** Stops a run and answers how long that took. */
async function cancel(id: number): Promise<number> {
  const askedAt = performance.now()
  await act(id, 'cancel')
  const run = await service.untilEnded(id)
  const tookMs = performance.now() - askedAt
  assert.equal(run.status, 'cancelled', JSON.stringify(run.error))
  assert.ok(tookMs < stopMsMax, `stopped after ${Math.round(tookMs)} ms`)
  stopped.set(id, (await service.log(id)).length)
  return tookMs
}

const processesOf = (mark: string) => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split(mark).length - 1
/** Resolves when a run that is at work has such a row. */
async function untilRow(id: number, table: 'steps' | 'effects', condition = 'true'): Promise<void> {
  const look = `select from ${table} where run_id = $1 and ${condition}`
  while (!(await db.query(look, [id])).rowCount) {
    const run = await service.untilRun(id, () => true)
    assert.ok(['queued', 'in_progress'].includes(run.status), JSON.stringify(run))
    await delay(10)
  }
}
const untilDetail = (id: number, detail: string) =>
  service.untilRun(id, (run) => {
    assert.ok(!['completed', 'failed'].includes(run.status), `${detail} was missed: ${JSON.stringify(run)}`)
    return run['status_detail'] === detail
  })

test('a model call is given up when its run is stopped', async () => {
  const { id } = await create({ prompt: 'Think', agent_type: 'builtin' })
  await until(() => model.requests.length === 1, 'the model is asked')
  await cancel(id)
  await until(() => model.requests[0]?.isGivenUp === true, 'the call is given up')
})

test('a command is killed with all that it started, however it hides and whatever it ignores', async () => {
  const mark = `stubborn-${process.pid}`
  const stubborn = `bash -c 'trap "" TERM HUP INT; while :; do sleep 1; done # ${mark}'`
  const { id } = await service.play([
    { shell: `setsid ${stubborn} & (nohup ${stubborn} >/dev/null 2>&1 &) ; exec ${stubborn}` },
    { answer: 'never' },
  ])
  await until(() => processesOf(mark) >= 3, 'the command has started its children')
  await cancel(id)
  await until(() => processesOf(mark) === 0, 'nothing of it is left')
})

test('a command that freezes its own sandbox does not delay the stop', async () => {
  const freeze = 'touch frozen; cd /proc; for p in [0-9]*; do [ $p = $$ ] || kill -STOP $p; done; kill -STOP $$'
  const { id } = await service.play([{ shell: 'echo begun' }, { shell: freeze }, { answer: 'never' }])
  await service.untilLogged(id, 2)
  await untilRow(id, 'steps', `key = 't1/2/1'`)
  await cancel(id)
})

test('a run is stopped while its code is checked out', async () => {
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'many-files',
    import_from: makeManyFiles(20_000),
  })
  const { id } = await service.play([{ answer: 'never' }], { repo_id: repo.id })
  await untilDetail(id, 'cloning')
  await cancel(id)
  assert.deepEqual(
    (await service.log(id)).map(({ message_type }) => message_type),
    ['USER_MESSAGE'],
  )
})

test('a run is stopped while its work is committed and pushed, and while that of a failed one is kept', async () => {
  const large = { shell: 'head -c 40M /dev/urandom > large.bin' }
  const committing = await service.play([large, { answer: 'Large.' }])
  await untilDetail(committing.id, 'creating_pr')
  await cancel(committing.id)

  const pushing = await service.play([large, { answer: 'Large.' }])
  await untilRow(pushing.id, 'effects')
  await cancel(pushing.id)

  const failing = await service.play([large, { fail: { code: 'stuck', message: 'No way.' } }])
  await service.untilLogged(failing.id, 2)
  await cancel(failing.id)
})

test('a run that waits, is paused or is queued is stopped at once', async () => {
  const asking = await service.play([{ ask: { question: 'Which?' } }, { answer: 'never' }])
  const working = await service.play([{ shell: 'sleep 0.05', repeat: 1_000 }, { answer: 'never' }])
  await service.untilRun(asking.id, ({ status }) => status === 'waiting_for_user')
  await cancel(asking.id)
  await service.untilLogged(working.id, 2)
  await act(working.id, 'pause')
  await service.untilRun(working.id, ({ status }) => status === 'paused')
  await act(working.id, 'continue')
  await cancel(working.id)
})

test('of twenty runs in the middle of a command each is stopped at once', async (t) => {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const runs = await Promise.all(
      [1, 2, 3, 4].map(() => service.play([{ shell: 'echo on; sleep 60' }, { answer: 'never' }])),
    )
    await Promise.all(runs.map(({ id }) => untilRow(id, 'steps', `kind = 'tool'`)))
    for (const { id } of runs) times.push(await cancel(id))
  }
  times.sort((one, other) => one - other)
  t.diagnostic(
    `${times.length} stops: median ${Math.round(times[9] ?? 0)} ms, worst ${Math.round(times.at(-1) ?? 0)} ms`,
  )
})

test('nothing is logged after a stop', async () => {
  assert.ok(stopped.size >= 26)
  for (const [id, length] of stopped) {
    const log = await service.log(id)
    assert.equal(log.length, length, `run ${id}: ${JSON.stringify(log.at(-1))}`)
    assert.ok(log.every(({ message_type }) => message_type !== 'FINAL_ANSWER' && message_type !== 'ERROR'))
  }
})

/** Made by one program from one stream: thousands of processes would take longer than all tests here. */
function makeManyFiles(count: number): string {
  const place = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'runwright-repository-')))
  git(place, 'init', '-q', '-b', 'main')
  const files = Array.from({ length: count }, (_, n) => `M 100644 :1 d${n % 200}/f${n}.txt\n`).join('')
  const stream = `blob\nmark :1\ndata 5\nsome\n\ncommit refs/heads/main\ncommitter Ada <ada@example.com> 0 +0000\ndata 5\nBegin\n${files}\n`
  execFileSync('git', ['-C', place, 'fast-import', '--quiet'], { input: stream })
  return place
}
