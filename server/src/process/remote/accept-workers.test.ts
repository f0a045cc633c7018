/** What a machine reaches that says it is a remote worker, with the token of one organization, and lies. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { one, rows } from '#db/pool.ts'
import { createWorkerToken } from '#domain/runs/worker-tokens/create-worker-token.ts'
import { revokeWorkerToken } from '#domain/runs/worker-tokens/revoke-worker-token.ts'
import { machineAnswers, type MachineOptions } from '#test/connect-machine.ts'
import { makeOrganization } from '#test/make.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { startAccepting } from '#test/start-accepting.ts'
import { until } from '#test/test-sandboxes.ts'
import { connectPath } from './connection.ts'

const { app, url, token: ofSettings, leaveAtEnd, leaveAll, connect: connectTo } = await startAccepting()

/** Connects as a machine that lies as its options say. */
function connect(token: string, options: MachineOptions = {}) {
  const machine = connectTo({ token, ...options })
  const row = () =>
    rows<{ id: number; place: string; organizationId: number | null }>(
      app.pool,
      'select id, place, organization_id from workers where name = $1 and alive_until > now() and not draining',
      [machine.name],
    )
  return {
    ...machine,
    row,
    untilWorks: async () => {
      await until(async () => (await row()).length === 1, 'it is registered')
      return (await row())[0]!
    },
  }
}

async function makeToken(labels: string[] | null = null) {
  const organization = await makeOrganization(app.pool)
  const { token, secret } = await createWorkerToken(app.pool, app.tokenKeys, {
    organizationId: organization.id,
    name: 'test',
    labels,
    createdBy: organization.adminId,
    expiresAt: null,
  })
  return { organization, token, secret, ids: { organizationId: organization.id, userId: organization.adminId } }
}
const holderOf = (runId: number) =>
  one<{ workerId: number | null; status: string }>(
    app.pool,
    'select worker_id, status from run_heads where run_id = $1',
    [runId],
  )

test('a worker takes runs of the organization of its token, and hears nothing of others', async () => {
  const [ours, theirs] = [await makeToken(), await makeToken()]
  const foreign = await makeRun(app.pool, theirs.ids)
  const enemy = connect(ours.secret)
  const { id, organizationId } = await enemy.untilWorks()
  assert.equal(organizationId, ours.organization.id)
  const run = await makeRun(app.pool, ours.ids)
  await until(async () => (await holderOf(run.id)).status !== 'queued', 'its own run is taken')
  assert.equal((await holderOf(foreign.id)).status, 'queued')
  const secrets = enemy.asked.join('\n')
  assert.ok(!secrets.includes(`run-${theirs.organization.id}-`) && enemy.asked[0]?.startsWith('/hello'))
  assert.ok(id)
  enemy.leave()
})

test('with another token nobody has the place of a worker, and with the same one its earlier connection ends', async () => {
  const [ours, theirs] = [await makeToken(), await makeToken()]
  const place = randomUUID()
  const first = connect(ours.secret, { hello: { place, name: 'first' } })
  const { place: known } = await first.untilWorks()
  const enemies = [
    connect(theirs.secret, { hello: { place, name: 'second' } }),
    connect(ofSettings, { hello: { place, name: 'third' } }),
  ]
  const places = [known]
  for (const enemy of enemies) places.push((await enemy.untilWorks()).place)
  assert.equal(new Set(places).size, 3)
  assert.equal((await first.row()).length, 1)
  const back = connect(ours.secret, { hello: { place, name: 'back' } })
  await first.ended
  assert.equal((await back.untilWorks()).place, known)
  for (const { leave } of [...enemies, back]) leave()
})

test('a place is that of a folder of the service only as far as it is a digest', async () => {
  const { secret } = await makeToken()
  for (const place of ['../../../etc', `${randomUUID()}/..`, '', 'A'.repeat(36)])
    assert.equal(await connect(secret, { hello: { place } }).ended, '')
  for (const name of ['', 'a\u0000b', 'a\nb', 'x'.repeat(201)])
    assert.equal(await connect(secret, { hello: { name } }).ended, '')
})

test('when a token is revoked its worker is cut off within seconds, its runs go on, and it does not come back', async () => {
  const { token, secret, ids, organization } = await makeToken()
  // It never makes the sandbox, so that it holds the run.
  const enemy = connect(secret)
  await enemy.untilWorks()
  const run = await makeRun(app.pool, ids)
  await until(async () => (await holderOf(run.id)).workerId !== null, 'it has the run')
  await revokeWorkerToken(app.pool, { organizationId: organization.id, tokenId: token.id })
  assert.match(await enemy.ended, /^The token of this worker was revoked/)
  await until(async () => (await holderOf(run.id)).workerId === null, 'it has it no more')
  for (let n = 0; n < 5; n++) assert.equal(await connect(secret).ended, '401')
})

test('a worker has the labels that its token allows, or none', async () => {
  const { secret } = await makeToken(['far', 'gpu'])
  const beyond = connect(secret, { hello: { labels: ['gpu', 'prod'] } })
  assert.equal(await beyond.ended, 'The token of this worker does not allow its labels prod.')
  const allowed = connect(secret, { hello: { labels: ['gpu'] } })
  await allowed.untilWorks()
  allowed.leave()
})

test('one token lets in so many connections, and those of others are let in beside them', async () => {
  const [ours, theirs] = [await makeToken(), await makeToken()]
  const many = Array.from(
    { length: 60 },
    () =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}${connectPath}`, {
          headers: { authorization: `Bearer ${ours.secret}` },
        })
        leaveAtEnd(() => socket.terminate())
        socket.on('error', () => {})
        socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
        socket.once('open', () => resolve(101))
      }),
  )
  const statuses = await Promise.all(many)
  assert.equal(statuses.filter((status) => status === 101).length, 50)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
  const other = connect(theirs.secret)
  await other.untilWorks()
  leaveAll()
})

test('who lists sandboxes of others, and never removes any, holds up nobody', async () => {
  const [ours, theirs] = [await makeToken(), await makeToken()]
  const { run: foreign } = await makeHeldRun(app.pool, theirs.ids)
  const own = (await Promise.all(Array.from({ length: 30 }, () => makeHeldRun(app.pool, ours.ids)))).map(
    ({ run }) => run,
  )
  const ids = [
    `run-${theirs.organization.id}-${foreign.id}`,
    ...own.map(({ id }) => `run-${ours.organization.id}-${id}`),
    ...Array.from({ length: 5_000 }, (_, n) => `run-${ours.organization.id}-${1_000_000 + n}`),
  ]
  const say = (path: string) => (path === '/list' ? ids : path.startsWith('/remove') ? undefined : machineAnswers[path])
  const enemy = connect(ours.secret, { say })
  await until(() => enemy.asked.some((path) => path.startsWith('/remove')), 'it is asked to remove some')
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: 20 }, () =>
      app.pool.query('select from run_heads where run_id = any($1) for update', [[foreign.id]]),
    ),
  )
  assert.ok(performance.now() - begun < 1_000, 'nobody waited for it')
  await app.pool.query('select from run_heads where run_id = any($1) for update', [own.map(({ id }) => id)])
  assert.ok(performance.now() - begun < 3_000)
  enemy.leave()
})
