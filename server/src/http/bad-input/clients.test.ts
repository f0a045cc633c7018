import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rows } from '#db/pool.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeToken } from '#test/make.ts'
import { openSocket } from '#test/open-socket.ts'
import { testApp } from '#test/test-app.ts'
import { buildServer } from '#http/build-server.ts'

const { app, ask, member, rateLimiter } = await testApp()
const server = await buildServer({ app, rateLimiter })
const url = await server.listen({ port: 0, host: '127.0.0.1' })

after(() => server.close())

let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
})

const connections = () => new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)))

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10)
}

/** All that listens, and all that is open, in this process. */
const listeners = () =>
  [server.server, process, app.pool].reduce(
    (sum, emitter) => sum + emitter.eventNames().reduce((count, name) => count + emitter.listenerCount(name), 0),
    0,
  )

/** A thousand connections, fifty at a time. */
async function thousandTimes(work: () => Promise<void>): Promise<void> {
  for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 50 }, work))
}

test('a thousand clients that go away in the middle of sending leave nothing behind', async () => {
  const head = `POST ${me.path}/agent/run HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${me.token}\r\nContent-Type: application/json\r\n`
  const before = listeners()
  await thousandTimes(async () => {
    const { socket, closed } = openSocket(url, `${head}Content-Length: 100\r\n\r\n{"prompt":"Go"`)
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.resetAndDestroy()
    await closed
  })
  await until(async () => (await connections()) === 0)
  assert.equal(listeners(), before)
  assert.equal((await ask(`${me.path}/agent/runs`, { token: me.token })).body.total, 0)
  assert.equal(app.pool.waitingCount, 0)
})

test('a thousand readers who go away in the middle of a stream leave nothing behind', async () => {
  const { run } = await makeHeldRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  const get = (path: string) => `GET ${me.path}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${me.token}\r\n\r\n`
  // One of each, so that what is opened once is open.
  for (const path of [`/agent/run/${run.id}/logs/stream`, '/agent/runs/stream']) {
    const { socket, until: came } = openSocket(url, get(path))
    await came(/\r\n\r\n/)
    socket.destroy()
  }
  await until(() => app.subscriptions.readers === 0)
  const before = listeners()
  await thousandTimes(async () => {
    const path = Math.random() < 0.5 ? `/agent/run/${run.id}/logs/stream` : '/agent/runs/stream'
    const { socket, closed, until: came } = openSocket(url, get(path))
    await came(/\r\n\r\n/)
    if (Math.random() < 0.5) socket.resetAndDestroy()
    else socket.destroy()
    await closed
  })
  await until(async () => app.subscriptions.readers === 0 && (await connections()) === 0)
  assert.equal(listeners(), before)
})

test('of a hundred follow-ups at once to a run that has ended one begins its next turn, the others wait in order', async () => {
  const made = await ask(`${me.path}/agent/run`, { method: 'POST', token: me.token, body: { prompt: 'Go' } })
  const id = Number(made.body.id)
  await ask(`${me.path}/agent/run/${id}/cancel`, { method: 'POST', token: me.token })
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => {
      const body = { agent_run_id: id, prompt: `Again ${n}` }
      return ask(`${me.path}/agent/run/resume`, { method: 'POST', token: me.token, body })
    }),
  )
  for (const answer of answers) assert.partialDeepStrictEqual(answer, { status: 200, body: { id, turn: 2 } })
  const messages = await rows<{ n: number; turn: number | null }>(
    app.pool,
    'select n, turn from messages where run_id = $1 order by n',
    [id],
  )
  assert.deepEqual(
    messages.map(({ n }) => n),
    Array.from({ length: 101 }, (_, n) => n + 1),
  )
  assert.deepEqual(
    messages.filter(({ turn }) => turn !== null).map(({ n, turn }) => [n, turn]),
    [
      [1, 1],
      [2, 2],
    ],
  )
})

test('of a hundred stops at once one stops the run', async () => {
  const made = await ask(`${me.path}/agent/run`, { method: 'POST', token: me.token, body: { prompt: 'Go' } })
  const stops = Array.from({ length: 100 }, () =>
    ask(`${me.path}/agent/run/${Number(made.body.id)}/cancel`, { method: 'POST', token: me.token }),
  )
  const statuses = (await Promise.all(stops)).map(({ status }) => status)
  assert.deepEqual([statuses.filter((status) => status === 200).length, new Set(statuses)], [1, new Set([200, 409])])
})

test('a token that has expired, or stands in the address, lets nobody in', async () => {
  const { organizationId, userId } = me
  const expired = await makeToken(app.pool, app.tokenKeys, {
    organizationId,
    userId,
    expiresAt: new Date(Date.now() - 1),
  })
  const inAddress = ['token', 'access_token', 'authorization', 'ticket', 'api_key'].map(
    (name) => `?${name}=${me.token}`,
  )
  assert.equal((await ask('/v1/users/me', { token: expired })).status, 401)
  for (const query of inAddress) assert.equal((await ask(`/v1/users/me${query}`)).status, 401)
  // Basic is for git alone.
  const basic = Buffer.from(`x:${me.token}`).toString('base64')
  assert.equal((await ask('/v1/users/me', { headers: { authorization: `Basic ${basic}` } })).status, 401)
})
