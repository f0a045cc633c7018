import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { splitHosts } from '#base/network/database-hosts.ts'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import { limits } from '#base/limits.ts'
import { testDb } from '#test/test-db.ts'
import { openPool, rows } from './pool.ts'

const db = await testDb()
const name = new URL(db.url).pathname.slice(1)
const administrator = openPool(new URL('/postgres', db.url).href, { connectionsMax: 1, name: 'test' })
after(() => administrator.end())

const setReadOnly = (isReadOnly: boolean) =>
  administrator.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)

function open(url = db.url, connectionsMax = 2): ReturnType<typeof openPool> {
  const pool = openPool(url, { connectionsMax })
  after(() => pool.end())
  return pool
}

test('a server that takes no writes is not connected to, which is said, and not the fault of who asks', async () => {
  await setReadOnly(true)
  const pool = open()
  await assert.rejects(pool.query('select 1'), (error: Error) => {
    assert.match(error.message, /takes no writes/)
    return isConnectionError(error)
  })
  assert.match(pool.refusal ?? '', /takes no writes/)
  await setReadOnly(false)
  assert.deepEqual(await rows(pool, 'select 1 as n'), [{ n: 1 }])
})

test('a server that turns to taking none is left, though the connection stands', async () => {
  const pool = open(db.url, 1)
  await pool.query('create table written (n int)')
  const [{ pid }] = (await rows<{ pid: number }>(pool, 'select pg_backend_pid() as pid')) as [{ pid: number }]
  // What the server says as its settings are read anew, it says of a session's own as well.
  await pool.query('set default_transaction_read_only = on')
  await pool.query('insert into written values (1)').catch(() => {})
  const [again] = (await rows<{ pid: number }>(pool, 'select pg_backend_pid() as pid')) as [{ pid: number }]
  assert.notEqual(again.pid, pid)
  await pool.query('insert into written values (2)')
  assert.deepEqual((await rows(pool, 'select n from written')).at(-1), { n: 2 })
})

test('a statement that is refused for it leaves the connection, and says why', async () => {
  const pool = open(db.url, 1)
  const refused = pool.query('begin read only; create table never (n int)')
  await assert.rejects(
    refused,
    (error: Error & { code?: string }) => error.code === '25006' && isConnectionError(error),
  )
  await pool.query('create table ever (n int)')
})

test('of several hosts the one is found that answers', async () => {
  const { host } = new URL(db.url)
  const pool = open(db.url.replace(host, `127.0.0.1:1,${host},localhost:2`) + '?target_session_attrs=read-write')
  for (let tries = 0; ; tries++) {
    const found = await rows(pool, 'select 1 as n').catch(() => undefined)
    if (found) break
    assert.ok(tries < 3)
    await sleep(1)
  }
  assert.deepEqual(await rows(pool, 'select 2 as n'), [{ n: 2 }])
})

test('an address names one host or several, each with its port', () => {
  assert.deepEqual(splitHosts('postgres://a:b@one:5,two/c?d=e,f'), [
    'postgres://a:b@one:5/c?d=e,f',
    'postgres://a:b@two/c?d=e,f',
  ])
  for (const one of ['postgres://a:b,c@one:5/d', 'postgres://[::1]:5/d', 'postgresql:///d?host=/tmp,/var'])
    assert.deepEqual(splitHosts(one), [one])
})

test('more than may wait for a connection are refused at once, as by a database that is away', async () => {
  const pool = open(db.url, 1)
  const client = await pool.connect()
  const waiting = Array.from({ length: limits.databaseWaitersMax + 50 }, () => pool.query('select 1'))
  const settled = Promise.allSettled(waiting)
  assert.equal(pool.waitingCount, limits.databaseWaitersMax)
  client.release()
  const refused = (await settled).flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
  assert.equal(refused.length, 50)
  assert.ok(refused.every(isConnectionError))
})

test('a connection that is ended in the moment in which it stands is a fault of who asks, and of nothing else', async () => {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const fields = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'
  // "You are in", "ask" and "you are out" arrive as one, as they may where a server is shut down.
  const greeting = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I')), message('E', Buffer.from(fields))]
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat(greeting)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pool = openPool(`postgres://a:b@127.0.0.1:${port}/c`, { connectionsMax: 1 })
  await assert.rejects(pool.query('select 1'))
  await pool.end()
  server.close()
})
