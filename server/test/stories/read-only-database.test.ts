import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '#db/pool.ts'
import { startService, untilReleased, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, env: { RUNWRIGHT_RATE_LIMITS: 'standard=600/60' } })
const runs = '/v1/organizations/1/agent/run'
const name = new URL(db.url).pathname.slice(1)
/** Beside the database, which it does not need to write in. */
const administrator = openPool(new URL('/postgres', db.url).href, { connectionsMax: 1, name: 'test' })

/** As a failover does, or a provider whose disk is nearly full: the sessions end, and the next ones may not write. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await administrator.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
  // A session that was just beginning has the old setting and no name yet.
  for (const ms of [0, 200]) {
    await sleep(ms)
    await administrator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'runwright%'`,
      [name],
    )
  }
}

async function untilReady(status: number): Promise<Record<string, unknown>> {
  for (const until = Date.now() + 60_000; ; await sleep(50)) {
    const answer = await service.ask('GET', '/statusz')
    const body = (await answer.json()) as Record<string, unknown>
    if (answer.status === status) return body
    assert.ok(Date.now() < until, `the status answers ${answer.status}: ${JSON.stringify(body)}`)
  }
}

test('while PostgreSQL takes no writes the service says so of itself; nothing fails for it, and it goes on by itself', async () => {
  const body = {
    prompt: 'Wait',
    agent_type: 'scripted',
    metadata: {
      script: [{ shell: 'echo before' }, { shell: untilReleased }, { shell: 'echo after' }, { answer: 'Done.' }],
    },
  }
  const run = await service.call<RunAnswer>('POST', runs, body)
  await service.untilRun(run.id, ({ status }) => status === 'in_progress')
  // It has its work tree, in which it is released.
  await service.untilLogged(run.id, 2)
  await setReadOnly(true)
  const unready = await untilReady(503)
  assert.match(String(unready['message']), /takes no writes|cannot be reached/)
  for (const [method, route, sent] of [
    ['GET', '/v1/users/me'],
    ['GET', `${runs}/${run.id}`],
    ['POST', runs, { ...body, prompt: 'More' }],
  ] as const) {
    const answer = await service.ask(method, route, sent)
    const report = (await answer.json()) as Record<string, unknown>
    assert.deepEqual(
      [answer.status, report['code']],
      [503, 'unavailable'],
      `${method} ${route}: ${JSON.stringify(report)}`,
    )
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  assert.equal((await service.ask('GET', '/healthz')).status, 200)
  while (!/takes no writes/.test(String((await untilReady(503))['message']))) await sleep(100)
  await setReadOnly(false)
  await untilReady(200)
  service.release(run.id)
  const ended = await service.untilEnded(run.id)
  assert.deepEqual([ended.status, ended.result], ['completed', 'Done.'])
  const log = await service.log(run.id)
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, n) => n + 1),
  )
  const more = await service.call<RunAnswer>('POST', runs, { ...body, metadata: { script: [{ answer: 'More.' }] } })
  assert.equal((await service.untilEnded(more.id)).status, 'completed')
  const lines = service.said().split('\n')
  const report = (text: string) => lines.filter((line) => line.includes(text)).length
  assert.ok(report('the service is not ready') <= 3, service.said())
  assert.ok(report('the service is ready again') === 1, service.said())
  assert.ok(report('"level":"error"') === 0, service.said())
  await administrator.end()
})
