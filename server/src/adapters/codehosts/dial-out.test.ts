import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Names } from '#base/network/names.ts'
import { Dialer, readAnswer } from './dial-out.ts'
import { codeHostLimits } from './limits.ts'

const connections = { count: 0 }
const server = createServer((_request, response) => response.end('here'))
server.on('connection', () => connections.count++)
// The client is the one that closes first.
server.keepAliveTimeout = 60_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
const dialer = new Dialer({ privateHosts: ['127.0.0.1'], lookup: new Names().lookup })
const ask = async () => (await readAnswer(await dialer.send({ url, asker: null }), 100)).toString()

// Each waits, so they wait at once.
describe('a dialer', { concurrency: true }, () => {
  test('a connection is used again at once, and not after a host may have closed it', async () => {
    assert.equal(await ask(), 'here')
    assert.equal(await ask(), 'here')
    assert.equal(connections.count, 1)
    await sleep(codeHostLimits.hostIdleMs + 300)
    assert.equal(await ask(), 'here')
    assert.equal(connections.count, 2)
  })

  test('an answer that takes longer than a connection is kept arrives', async () => {
    const slow = createServer((_request, response) => {
      setTimeout(() => response.end('late'), codeHostLimits.hostIdleMs + 300)
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    after(() => slow.close())
    const at = new URL(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`)
    const answer = await dialer.send({ url: at, asker: null })
    assert.equal((await readAnswer(answer, 100)).toString(), 'late')
  })
})
