import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { one } from '#db/pool.ts'
import { createStreamTicket } from '#domain/accounts/tokens/create-stream-ticket.ts'
import { spendStreamTicket } from '#domain/accounts/tokens/spend-stream-ticket.ts'
import { makeRun } from '#test/make-run.ts'
import { openStream } from '#test/open-stream.ts'
import { testApp } from '#test/test-app.ts'

const { app, ask, member, url } = await testApp()
let me: Awaited<ReturnType<typeof member>>
let streamPath: string
before(async () => {
  me = await member()
  const run = await makeRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  streamPath = `${me.path}/agent/run/${run.id}/logs/stream`
})

const makeTicket = async (owner = me) => {
  const answer = await ask(`${owner.path}/stream-tickets`, { method: 'POST', token: owner.token })
  assert.equal(answer.status, 201)
  return String(answer.body.ticket)
}

async function open(path: string, ticket: string): Promise<number> {
  const stream = await openStream(`${url}${path}?ticket=${ticket}`)
  stream.close()
  return stream.status
}

test('a ticket opens one stream in place of a token, once', async () => {
  const ticket = await makeTicket()
  const stream = await openStream(`${url}${streamPath}?ticket=${ticket}`)
  assert.equal((await stream.next())?.event, 'status')
  stream.close()
  assert.equal(await open(streamPath, ticket), 401)
  assert.equal(await open(`${me.path}/agent/runs/stream`, await makeTicket()), 200)
})

test('of many who use one ticket at the same moment, one gets in', async () => {
  const { credentialId } = await one<{ credentialId: number }>(
    app.pool,
    'select id as "credentialId" from credentials where user_id = $1',
    [me.userId],
  )
  const { secret } = await createStreamTicket(app.pool, app.tokenKeys, {
    organizationId: me.organizationId,
    credentialId,
  })
  const spent = await Promise.all(Array.from({ length: 20 }, () => spendStreamTicket(app.pool, app.tokenKeys, secret)))
  assert.equal(spent.filter(Boolean).length, 1)
})

test('a ticket lasts a minute, and is worth nothing afterwards', async () => {
  const answer = await ask(`${me.path}/stream-tickets`, { method: 'POST', token: me.token })
  const lasts = new Date(String(answer.body.expires_at)).getTime() - Date.now()
  assert.ok(lasts > 30_000 && lasts <= 61_000, String(lasts))
  await app.pool.query(`update stream_tickets set expires_at = now() - interval '1 second'`)
  assert.equal(await open(streamPath, String(answer.body.ticket)), 401)
})

test('a ticket of another organization is forbidden, and used up', async () => {
  const other = await member()
  const ticket = await makeTicket(other)
  assert.equal(await open(streamPath, ticket), 403)
  assert.equal(await open(`${other.path}/agent/runs/stream`, ticket), 401)
})

test('a ticket dies with the token that it was made with', async () => {
  const made = await ask(`${me.path}/tokens`, { method: 'POST', token: me.token, body: { name: 'short' } })
  const ticket = await makeTicket({ ...me, token: String(made.body.token) })
  await ask(`${me.path}/tokens/${made.body.id}`, { method: 'DELETE', token: me.token })
  assert.equal(await open(streamPath, ticket), 401)
})

test('a ticket opens nothing but streams, and is no token', async () => {
  const ticket = await makeTicket()
  assert.equal((await ask(`${me.path}/agent/runs?ticket=${ticket}`)).status, 401)
  assert.equal((await ask(`${me.path}/agent/runs`, { token: ticket })).status, 401)
  assert.equal((await ask(streamPath, { token: ticket })).status, 401)
  assert.equal(await open(streamPath, ticket), 200, 'and it was not used up by that')
  for (const wrong of ['', 'rwt_', me.token, `${ticket}&ticket=${ticket}`])
    assert.equal(await open(streamPath, wrong), 401)
})

test('the database holds no ticket that could be used', async () => {
  const ticket = await makeTicket()
  const { text } = await one<{ text: string }>(
    app.pool,
    `select string_agg(t::text, ' ') as text from stream_tickets t`,
  )
  assert.ok(text.length > 50 && !text.includes(ticket))
})

test('a stream ends when its token is revoked, or its reader is no member any more', async () => {
  const reader = await member('MEMBER')
  const made = await ask(`${me.path}/tokens`, { method: 'POST', token: me.token, body: { name: 'short' } })
  const streams = await Promise.all([
    openStream(`${url}${streamPath}`, { authorization: `Bearer ${made.body.token}` }),
    openStream(`${url}${reader.path}/agent/runs/stream`, { authorization: `Bearer ${reader.token}` }),
  ])
  const stays = await openStream(`${url}${streamPath}`, { authorization: `Bearer ${me.token}` })
  for (const stream of [streams[0], stays]) await stream?.until('status')
  const began = performance.now()
  await ask(`${me.path}/tokens/${made.body.id}`, { method: 'DELETE', token: me.token })
  await app.pool.query('delete from memberships where user_id = $1', [reader.userId])
  assert.deepEqual(await Promise.all(streams.map((stream) => stream.next())), [undefined, undefined])
  assert.ok(performance.now() - began < 10_000)
  await app.pool.query(`update run_heads set status_detail = 'still here' where organization_id = $1`, [
    me.organizationId,
  ])
  assert.equal((await stays.next())?.data.status_detail, 'still here')
  stays.close()
})
