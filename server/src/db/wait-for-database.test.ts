import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { testDb } from '#test/test-db.ts'
import { openPool } from './pool.ts'
import { waitForDatabase } from './wait-for-database.ts'

const db = await testDb()

test('a PostgreSQL that comes late is waited for', async () => {
  const { hostname, port } = new URL(db.url)
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: freePort } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const url = new URL(db.url)
  url.port = String(freePort)
  const pool = openPool(url.href)
  const reasons: string[] = []
  try {
    await waitForDatabase(pool, {
      waitMs: 60_000,
      onWait: (reason) => {
        reasons.push(reason)
        server.listen(freePort, '127.0.0.1')
      },
    })
    assert.match(reasons.join(), /ECONNREFUSED/)
    assert.equal(reasons.length, 1)
  } finally {
    await pool.end()
    server.close()
  }
})

test('one that does not come is given up, and a wrong name is told at once', async () => {
  const nowhere = openPool('postgres://nobody@127.0.0.1:1/none')
  await assert.rejects(waitForDatabase(nowhere, { waitMs: 0, onWait: () => {} }), /cannot be reached.*ECONNREFUSED/)
  await nowhere.end()
  const url = new URL(db.url)
  url.pathname = '/no_such_database'
  const wrong = openPool(url.href)
  await assert.rejects(
    waitForDatabase(wrong, { waitMs: 60_000, onWait: () => assert.fail('there is nothing to wait for') }),
    /no_such_database/,
  )
  await wrong.end()
})
