import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Agent, fetch } from 'undici'
import { startNameServer } from '#test/name-server.ts'
import { until } from '#test/test-sandboxes.ts'
import { Names } from './names.ts'
import { nameLimits } from './limits.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-names-'))
after(() => rmSync(folder, { recursive: true }))
const [hostsFile, resolverFile] = [path.join(folder, 'hosts'), path.join(folder, 'resolv.conf')]
writeFileSync(hostsFile, '# ours\n127.0.0.7 Files.test files # both\n::7 files.test\nnonsense here\n')
writeFileSync(resolverFile, 'search one.test two.test.\noptions ndots:2 timeout:1\n')

const meanings: Record<string, string[]> = {
  'both.example': ['192.0.2.1', '2001:db8::1', '192.0.2.2'],
  'six.example': ['2001:db8::6'],
  'short.two.test': ['192.0.2.3'],
  'a.b.example': ['192.0.2.4'],
}
const server = await startNameServer((name) => (name.startsWith('slow') ? 'silent' : (meanings[name] ?? [])))
const openNames = (options = {}) => new Names({ servers: [server.address], hostsFile, resolverFile, ...options })

test('a name has the addresses that name servers know, those of IPv4 first', async () => {
  const { lookup } = openNames()
  assert.deepEqual((await lookup('both.example.', 1)).sort(), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  assert.deepEqual(await lookup('SIX.example.', 1), ['2001:db8::6'])
  assert.deepEqual(await lookup('none.example.', 1), [])
})

test('names of the hosts file, of this machine, and addresses are found without asking anybody', async () => {
  const { lookup } = openNames()
  const before = server.asked.length
  assert.deepEqual(await lookup('files.TEST', 1), ['127.0.0.7', '::7'])
  assert.deepEqual(await lookup('files', 1), ['127.0.0.7'])
  for (const name of ['localhost', 'Localhost.', 'web.localhost'])
    assert.deepEqual(await lookup(name, 1), ['127.0.0.1', '::1'], name)
  for (const address of ['192.0.2.9', '::1']) assert.deepEqual(await lookup(address, 1), [address])
  for (const spelled of ['127.1', '0x7f000001', '2130706433']) assert.deepEqual(await lookup(spelled, 1), ['127.0.0.1'])
  for (const odd of ['', '.', 'a..b', '%zz', `${'a'.repeat(64)}.test`, 'a b', 'ä.test'])
    assert.deepEqual(await lookup(odd, 1), [], odd)
  assert.equal(server.asked.length, before)
})

test('short names are completed as the system says', async () => {
  const { lookup } = openNames()
  const before = server.asked.length
  assert.deepEqual(await lookup('short', 1), ['192.0.2.3'])
  assert.deepEqual(await lookup('a.b.example', 1), ['192.0.2.4'])
  const names = server.asked.slice(before).filter((question) => !question.includes(' '))
  assert.deepEqual(names, ['short.one.test', 'short.two.test', 'a.b.example'])
})

test('what is known is kept for a moment, and asked once however many want it', async () => {
  let nowMs = 0
  const { lookup } = openNames({ nowMs: () => nowMs })
  const asked = () => server.asked.filter((question) => /^(?:a\.b|nothing\.b)\.example/.test(question)).length
  const before = asked()
  await Promise.all(Array.from({ length: nameLimits.lookupsEachMax }, () => lookup('a.b.example.', 1)))
  await lookup('nothing.b.example.', 1)
  assert.equal(asked() - before, 4)
  nowMs = Math.min(nameLimits.nameKeptMsMin, nameLimits.noNameKeptMs) - 1
  await lookup('a.b.example.', 2)
  await lookup('nothing.b.example.', 2)
  assert.equal(asked() - before, 4)
  nowMs = Math.max(nameLimits.nameKeptMsMin, nameLimits.noNameKeptMs)
  await lookup('a.b.example.', 1)
  await lookup('nothing.b.example.', 1)
  assert.equal(asked() - before, 8)
})

test('however many slow names one organization asks for, names of others are found meanwhile', async () => {
  const names = openNames({ patienceMs: 600 })
  const { lookup } = names
  const slow = Array.from({ length: 60 }, (_, n) => lookup(`slow${n}.example.`, 1).catch((error: Error) => error))
  await until(() => names.underWay === nameLimits.lookupsEachMax, 'a share is used up')
  assert.deepEqual(await lookup('six.example.', 2), ['2001:db8::6'])
  assert.deepEqual(await lookup('both.example.', null).then((found) => found.length), 3)
  assert.equal(names.underWay, nameLimits.lookupsEachMax)
  for (const outcome of await Promise.all(slow)) assert.match(String(outcome), /in time/)
  // Giving up frees what was used: the same organization is answered at once.
  assert.equal(names.underWay, 0)
  assert.deepEqual(await lookup('six.example.', 1), ['2001:db8::6'])
})

test('an organization that asks for more names than may wait is refused, and nobody else', async () => {
  const { lookup } = openNames({ patienceMs: 600 })
  const many = Array.from({ length: nameLimits.lookupsEachMax + nameLimits.lookupsWaitingMax + 5 }, (_, n) =>
    lookup(`slow${n}.many.example.`, 1).catch((error: Error) => error),
  )
  assert.deepEqual(await lookup('six.example.', 2), ['2001:db8::6'])
  const refused = (await Promise.all(many)).filter((outcome) => /too many/.test(String(outcome)))
  assert.equal(refused.length, 5)
})

test('requests to hosts that the operator has named find them the same way', async () => {
  meanings['own.example'] = ['127.0.0.1']
  const http = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1')
  after(() => http.close())
  await until(() => http.listening, 'it listens')
  const { port } = http.address() as AddressInfo
  const dispatcher = new Agent({ connect: { lookup: openNames({ resolverFile: '/none' }).dial } })
  after(() => dispatcher.close())
  const answer = await fetch(`http://own.example:${port}/`, { dispatcher })
  assert.equal(await answer.text(), 'here')
  const failing = fetch(`http://no.invalid:${port}/`, { dispatcher })
  await assert.rejects(failing, (error: Error) => (error.cause as NodeJS.ErrnoException).code === 'ENOTFOUND')
})
