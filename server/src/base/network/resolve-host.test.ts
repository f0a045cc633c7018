import assert from 'node:assert/strict'
import { createServer, connect, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { dialOnly, resolveHost } from './resolve-host.ts'

const answering = (addresses: string[]) => ({ port: 443, privateHosts: [], asker: null, lookup: async () => addresses })

test('a host of the public internet has its addresses', async () => {
  const addresses = ['1.1.1.1', '2606:4700::1111']
  assert.deepEqual(await resolveHost({ host: 'one.example', ...answering(addresses) }), addresses)
})

test('a host with one address that is not public is refused', async () => {
  const inside = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.1.1', '224.0.0.1', '::1', 'fe80::1', 'fd00::1']
  for (const address of [...inside, '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '0.0.0.0'])
    for (const addresses of [[address], ['1.1.1.1', address]])
      await assert.rejects(
        resolveHost({ host: 'two.example', ...answering(addresses) }),
        { why: 'not_public' },
        address,
      )
})

test('a name that means this machine is refused, also by its public address', async () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  for (const { address } of own)
    await assert.rejects(resolveHost({ host: 'me.example', ...answering([address]) }), { why: 'not_public' })
})

test('whoever runs the service may name a private host, also for one port only', async () => {
  const at = (host: string, port: number, privateHosts: string[]) =>
    resolveHost({ host, port, privateHosts, asker: null, lookup: async () => ['10.0.0.7'] })
  assert.deepEqual(await at('git.internal', 443, ['GIT.internal']), ['10.0.0.7'])
  assert.deepEqual(await at('git.internal', 8443, ['git.internal:8443']), ['10.0.0.7'])
  assert.deepEqual(await at('::1', 80, ['[::1]:80']), ['10.0.0.7'])
  await assert.rejects(at('git.internal', 443, ['git.internal:8443']), { why: 'not_public' })
  await assert.rejects(at('other.internal', 443, ['git.internal']), { why: 'not_public' })
})

test('a name without an address is not found', async () => {
  await assert.rejects(resolveHost({ host: 'no.example', ...answering([]) }), { why: 'not_found' })
  const lookup = () => Promise.reject(new Error('ENOTFOUND'))
  const unknown = { host: 'no.example', port: 1, privateHosts: [], asker: null, lookup }
  await assert.rejects(resolveHost(unknown), { why: 'not_found' })
})

test('a connection that may dial only these addresses finds no others', async (t) => {
  const server = createServer((socket) => socket.end('here')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  for (const autoSelectFamily of [true, false]) {
    const socket = connect({ host: 'anything.example', port, lookup: dialOnly(['127.0.0.1']), autoSelectFamily })
    assert.equal((await socket.toArray()).join(''), 'here')
  }
})
