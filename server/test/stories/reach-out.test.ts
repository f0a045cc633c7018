/** Real programs in a real sandbox, whose organization allows it a few names. The servers are on loopback. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { after, before, test } from 'node:test'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { saveEgress } from '#domain/repos/egress/save-egress.ts'
import { git, makeRepository } from '#test/example-repository.ts'
import { listen, makeCertificate, testProxies, type TestProxy } from '#test/test-proxy.ts'
import { sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'

const { provider } = testSandboxes()
const { db, openSandboxProxy } = await testProxies()
const loopback = ['127.0.0.1']
const { key, certificate } = await makeCertificate(['files.test', 'evil.test'])
/** What the server has for whoever comes, by path. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-files-'))
after(() => rm(folder, { recursive: true, force: true }))
const sockets = new Set<Duplex>()
const server = createSecureServer({ key, cert: certificate }, (request, response) => {
  const name = decodeURIComponent(request.url!.split('?')[0]!)
  if (name === '/endless') return void response.write('…')
  const file = path.join(folder, name)
  if (!existsSync(file)) response.writeHead(404).end()
  else response.end(readFileSync(file))
}).on('connection', (socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
})
const port = await listen(server)
const plain = createServer((_request, response) => response.end('PLAIN'))
const plainPort = await listen(plain)
after(() => {
  server.closeAllConnections()
  server.close()
  plain.close()
})
const at = `https://files.test:${port}`

let proxy: TestProxy
let sandbox: Sandbox
before(async () => {
  proxy = await openSandboxProxy({
    allow: [`files.test:${port}`, `plain.test:${plainPort}`],
    names: { 'files.test': loopback, 'plain.test': loopback, 'evil.test': loopback },
  })
  sandbox = await provider.create({ id: 'reaching', limits: testLimits, network: proxy.proxy })
  await sandbox.writeFile('/tmp/certificate.pem', Buffer.from(certificate))
})
after(() => sandbox.stop('the tests are done'))

const say = (shell: string) => sayIn(sandbox, shell)
const trust = '--cacert /tmp/certificate.pem'

test('curl fetches from a name that is allowed, with TLS and without', async () => {
  writeFileSync(path.join(folder, 'hello.txt'), 'hello')
  assert.equal(await say(`curl -sS ${trust} ${at}/hello.txt`), 'hello')
  assert.equal(await say(`curl -sS http://plain.test:${plainPort}/`), 'PLAIN')
})

test('curl is told why it may not go elsewhere', async () => {
  assert.match(
    await say(`curl -sS http://evil.test:${plainPort}/`),
    /evil\.test:\d+ cannot be reached from here: .*not_allowed/,
  )
  assert.match(await say(`curl -sSv https://evil.test:${port}/ 2>&1`), /403 Forbidden \(not_allowed\)/)
  for (const host of ['127.0.0.1', '[::1]', '2130706433', '169.254.169.254'])
    assert.match(await say(`curl -gsS --noproxy "" http://${host}:${plainPort}/`), /address_literal/, host)
})

test('what curl resolves itself, and where it connects to, changes nothing', async () => {
  const text = await say(`curl -sS ${trust} --resolve files.test:${port}:10.0.0.1 ${at}/hello.txt`)
  assert.equal(text, 'hello')
  const other = await say(`curl -sSk --connect-to evil.test:${port}:files.test:${port} https://evil.test:${port}/ 2>&1`)
  assert.match(other, /access denied/)
})

test('Node fetches by the proxy that it finds in its environment', async () => {
  const program = `fetch('${at}/hello.txt').then((answer) => answer.text()).then(console.log)`
  const node = `${sandbox.paths.nodeFolder}/node`
  assert.equal(await say(`NODE_EXTRA_CA_CERTS=/tmp/certificate.pem ${node} --no-warnings -e "${program}"`), 'hello')
})

test('git clones from a name that is allowed, and not from another', async () => {
  const source = makeRepository({ 'a.txt': 'from afar\n' })
  git(folder, 'clone', '-q', '--bare', source, 'one.git')
  git(path.join(folder, 'one.git'), 'update-server-info')
  const clone = (host: string) =>
    say(
      `cd /tmp && GIT_SSL_CAINFO=/tmp/certificate.pem git clone -q https://${host}:${port}/one.git 2>&1 && cat one/a.txt`,
    )
  assert.match(await clone('evil.test'), /403/)
  assert.equal(await clone('files.test'), 'from afar')
})

test(
  'npm installs from a registry that is allowed, and not from another',
  { skip: !existsSync('/usr/bin/npm') && 'npm is none of the system’s programs here' },
  async () => {
    const made = mkdtempSync(path.join(folder, 'package-'))
    mkdirSync(path.join(made, 'package'))
    writeFileSync(path.join(made, 'package', 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0' }))
    execFileSync('tar', ['-czf', path.join(folder, 'tiny.tgz'), '-C', made, 'package'])
    const integrity = `sha512-${createHash('sha512')
      .update(readFileSync(path.join(folder, 'tiny.tgz')))
      .digest('base64')}`
    const dist = { tarball: `${at}/tiny.tgz`, integrity }
    const versions = { '1.0.0': { name: 'tiny', version: '1.0.0', dist } }
    writeFileSync(
      path.join(folder, 'tiny'),
      JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions }),
    )
    const install = (registry: string) =>
      say(`mkdir -p /tmp/npm && cd /tmp/npm && echo '{}' > package.json && npm_config_cafile=/tmp/certificate.pem npm install \
        --no-audit --no-fund --no-update-notifier --fetch-retries 0 --registry ${registry} tiny 2>&1; cat node_modules/tiny/package.json`)
    assert.match(await install(`https://evil.test:${port}`), /403|tunnel/i)
    assert.match(await install(at), /"name":"tiny"/)
  },
)

test('a sandbox that ends in the middle of a download leaves nothing open', async () => {
  const other = await openSandboxProxy({ allow: [`files.test:${port}`], names: { 'files.test': loopback } })
  const ending = await provider.create({ id: 'ending', limits: testLimits, network: other.proxy })
  sockets.clear()
  let heard = 0
  const onOutput = (_: string, { length }: Uint8Array) => void (heard += length)
  void ending.exec({ shell: `curl -sSkN ${at}/endless`, timeoutMs: 600_000, onOutput })
  await until(() => heard > 0, 'the download has begun')
  await ending.stop('enough')
  await until(() => sockets.size === 0, 'the server sees it end')
  await other.proxy[Symbol.asyncDispose]()
  const asked = await other.asked()
  assert.equal(asked.length, 1)
  assert.ok(asked[0]!.receivedBytes! > 0)
})

test('a proxy that is closed and opened anew serves the next sandbox', async () => {
  const options = { allow: [`plain.test:${plainPort}`], names: { 'plain.test': loopback } }
  const first = await openSandboxProxy(options)
  const ending = await provider.create({ id: 'anew', limits: testLimits, network: first.proxy })
  await first.proxy[Symbol.asyncDispose]()
  const second = await openSandboxProxy(options)
  await using again = await provider.create({ id: 'anew', limits: testLimits, network: second.proxy })
  assert.equal(await sayIn(again, `curl -sS http://plain.test:${plainPort}/`), 'PLAIN')
  assert.deepEqual(await ending.closed, { reason: 'replaced' })
})

test('what is allowed while a run is at work it reaches, and what is taken back it reaches no more', async () => {
  const changing = await openSandboxProxy({ names: { 'plain.test': loopback } })
  await using inside = await provider.create({ id: 'changing', limits: testLimits, network: changing.proxy })
  const ask = () => sayIn(inside, `curl -sS http://plain.test:${plainPort}/`)
  const allow = (names: string[]) =>
    saveEgress(db, { organizationId: changing.holder.organizationId, repoId: null, allow: names, presets: [] })
  assert.match(await ask(), /not_allowed/)
  await allow([`plain.test:${plainPort}`])
  await until(async () => (await ask()) === 'PLAIN', 'it is let through')
  await allow([])
  await until(async () => /not_allowed/.test(await ask()), 'it is refused again')
})

test('a hundred requests at once from inside are all answered, and all recorded in their order', async () => {
  const many = await openSandboxProxy({ allow: [`plain.test:${plainPort}`], names: { 'plain.test': loopback } })
  await using inside = await provider.create({ id: 'hundred', limits: testLimits, network: many.proxy })
  const program = `const http = require('node:http'); let left = 100, good = 0
    for (let n = 0; n < 100; n++) http.get({ host: '127.0.0.1', port: 3128, agent: false, path: 'http://plain.test:${plainPort}/' + n,
      headers: { host: 'plain.test:${plainPort}' } }, (answer) => { good += answer.statusCode === 200; answer.resume().on('end', () => --left || console.log(good)) })`
  const argv = [`${inside.paths.nodeFolder}/node`, '-e', program]
  const { output } = await inside.exec({ argv, timeoutMs: 60_000 }).result
  assert.equal(output.toString().trim(), '100')
  assert.deepEqual(
    (await many.asked()).map(({ n, isAllowed }) => [n, isAllowed]),
    Array.from({ length: 100 }, (_, index) => [index + 1, true]),
  )
})

test('a planted credential in a request is seen before it leaves', async () => {
  let seen = 0
  const value = 'AKIAQ3EGREPLANTED7XZ'
  const watched = await openSandboxProxy({
    allow: [`plain.test:${plainPort}`],
    names: { 'plain.test': loopback },
    secrets: [{ name: 'canary', value, isCanary: true }],
    onCanary: () => seen++,
  })
  await using inside = await provider.create({ id: 'watched', limits: testLimits, network: watched.proxy })
  await sayIn(inside, `curl -sS -H "X-Key: ${value}" http://plain.test:${plainPort}/`)
  assert.equal(seen, 1)
  await sayIn(inside, `curl -sS http://${value}.plain.test:${plainPort}/`)
  const names = (await watched.asked()).map(({ name }) => name)
  assert.doesNotMatch(names.join(), new RegExp(value))
})
