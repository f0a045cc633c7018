import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool, rows } from '#db/pool.ts'
import { findInDatabase, findInFolder } from '#test/find-canary.ts'
import { findPostgres, untilReady } from '#test/kill-postgres.ts'
import { openStream } from '#test/open-stream.ts'
import { unique } from '#test/make.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url })
const base = `/v1/organizations/${service.organizationId}`
const at = (run: { id: number }, more = '') => `${base}/agent/run/${run.id}${more}`
const git = (run: { id: number }) => path.join(service.dataDir, 'git', `${service.organizationId}/run-${run.id}.git`)

/** A run without a repository that leaves the word wherever a run leaves something. */
async function play(word: string): Promise<RunAnswer> {
  const script = [
    { think: word },
    { write: { path: `${word}.txt`, content: word } },
    { shell: `echo ${word}; mkdir -p .runwright/artifacts; echo ${word} > .runwright/artifacts/${word}.txt` },
    // Longer than an entry, so that it is kept as a file.
    { shell: `yes ${word} | head -c 600000` },
    { answer: word, title: word, body: word },
  ]
  const body = { prompt: word, agent_type: 'scripted', metadata: { script } }
  const made = await service.ask('POST', `${base}/agent/run`, body, { 'idempotency-key': unique('key') })
  const run = (await made.json()) as RunAnswer
  await service.untilEnded(run.id)
  await service.call('POST', `${base}/agent/run/resume`, { agent_run_id: run.id, prompt: word })
  return service.untilEnded(run.id)
}

async function untilDeleted(): Promise<void> {
  for (const until = Date.now() + 60_000; (await rows(db, 'select from deletions')).length; await sleep(100))
    assert.ok(Date.now() < until, service.said())
}

/** As if an hour had passed since bytes were stored. */
async function untilSwept(): Promise<void> {
  await db.query(`update blobs set look_at = now() - interval '1 second'`)
  const due = () => rows(db, 'select from blobs where look_at <= now()')
  for (const until = Date.now() + 60_000; (await due()).length; await sleep(100)) assert.ok(Date.now() < until)
}

test('a run that is deleted leaves nothing on the machine', async () => {
  const word = unique('canary')
  const run = await play(word)
  assert.equal(run.status, 'completed')
  assert.ok((await findInDatabase(db, word)).includes('idempotency_keys.answer'))
  assert.ok(findInFolder(service.dataDir, word).length > 0)
  assert.ok(existsSync(git(run)))
  const refused = await service.ask('DELETE', at({ id: 999_999 }))
  assert.equal(refused.status, 404)
  assert.equal((await service.ask('DELETE', at(run))).status, 204)
  for (const more of [
    '',
    '/logs',
    '/diff',
    '/input',
    '/messages',
    '/questions',
    '/artifacts',
    '/timeline',
    '/record',
    '/egress',
  ]) {
    const answer = await service.ask('GET', at(run, more))
    assert.equal(answer.status, 404, more)
    assert.match(((await answer.json()) as { message: string }).message, /was deleted on/, more)
  }
  const list = await service.call<{ items: unknown[] }>('GET', `${base}/agent/runs`)
  assert.deepEqual(list.items, [])
  assert.deepEqual((await service.call<{ items: unknown[] }>('GET', `${base}/sandboxes`)).items, [])
  for (const [method, more] of [
    ['DELETE', ''],
    ['POST', '/cancel'],
    ['POST', '/pause'],
  ] as const)
    assert.equal((await service.ask(method, at(run, more))).status, 404)
  await untilDeleted()
  await untilSwept()
  assert.deepEqual(await findInDatabase(db, word), [])
  assert.deepEqual(findInFolder(service.dataDir, word), [])
  assert.equal(existsSync(git(run)), false)
})

test('a process that is killed while it deletes leaves the rest to the others', async () => {
  const word = unique('canary')
  const made = await Promise.all([play(word), play(word)])
  const victim = await service.startApi()
  await db.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, 'ERROR', json_build_object('observation', repeat($3, 20)) from generate_series(1000, 60000) n`,
    [service.organizationId, made[0].id, word],
  )
  for (const run of made) assert.equal((await service.ask('DELETE', at(run))).status, 204)
  const entries = () => rows(db, 'select from log_entries where run_id = $1 and seq < 1200', [made[0].id])
  for (const until = Date.now() + 60_000; (await entries()).length === 200; await sleep(5))
    assert.ok(Date.now() < until)
  victim.child.kill('SIGKILL')
  await untilDeleted()
  await untilSwept()
  assert.deepEqual(await findInDatabase(db, word), [])
  for (const run of made) assert.equal(existsSync(git(run)), false)
})

test('a stream of a run that is deleted ends, and says why when it is opened again', async () => {
  const run = await service.play([{ answer: 'Done' }])
  await service.untilEnded(run.id)
  await db.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, 'ERROR', json_build_object('observation', repeat('x', 50000)) from generate_series(100, 499) n`,
    [service.organizationId, run.id],
  )
  await db.query('update log_entries set seq = seq - 97 where run_id = $1 and seq >= 100', [run.id])
  await db.query('update run_heads set next_seq = 403 where run_id = $1', [run.id])
  const url = `${service.url}${at(run, '/logs/stream')}`
  const stream = await openStream(url, { authorization: `Bearer ${service.token}` })
  await stream.next()
  assert.equal((await service.ask('DELETE', at(run))).status, 204)
  await untilDeleted()
  while (await stream.next().catch(() => undefined));
  const again = await service.ask('GET', at(run, '/logs/stream'))
  assert.equal(again.status, 404)
  assert.match(((await again.json()) as { message: string }).message, /was deleted/)
})

test('PostgreSQL is killed while a run is deleted: it comes back, and nothing of the run does', async () => {
  const own = await startService({ databaseUrl: '' })
  const run = await own.call<RunAnswer>('POST', '/v1/organizations/1/agent/run', {
    prompt: unique('canary'),
    agent_type: 'scripted',
    metadata: { script: [{ answer: 'Done' }] },
  })
  const { prompt } = await own.untilEnded(run.id)
  const secret = (name: string) => readFileSync(path.join(own.dataDir, 'postgres', name), 'utf8').trim()
  const open = () =>
    openPool(`postgres://runwright_service:${secret('service-password')}@127.0.0.1:${secret('port')}/runwright`)
  const before = open()
  for (let from = 1_000; from < 100_000; from += 10_000)
    await before.query(
      `insert into log_entries (organization_id, run_id, seq, message_type, body)
       select 1, $1, n, 'ERROR', json_build_object('observation', $2::text) from generate_series($3::int, $3::int + 9999) n`,
      [run.id, prompt, from],
    )
  assert.equal((await own.ask('DELETE', `/v1/organizations/1/agent/run/${run.id}`)).status, 204)
  const left = (pool: ReturnType<typeof open>) =>
    rows(pool, 'select from log_entries where run_id = $1 and seq < 1100', [run.id])
  for (const until = Date.now() + 60_000; (await left(before)).length === 100; await sleep(5))
    assert.ok(Date.now() < until)
  const pid = findPostgres(own)
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  await before.end().catch(() => {})
  await untilReady(own)
  const after = open()
  for (const until = Date.now() + 60_000; (await rows(after, 'select from deletions')).length; await sleep(100))
    assert.ok(Date.now() < until, own.said())
  assert.deepEqual(await findInDatabase(after, String(prompt)), [])
  assert.equal((await own.ask('GET', `/v1/organizations/1/agent/run/${run.id}`)).status, 404)
  await after.end()
})
