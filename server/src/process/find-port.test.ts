import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { findPort } from './find-port.ts'

test('finds a port that can be listened on, and that the system gives to nobody else', async () => {
  const port = await findPort('127.0.0.1')
  assert.ok(port >= 20_000 && port < 32_768, String(port))
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  assert.equal((server.address() as AddressInfo).port, port)
  server.close()
})
