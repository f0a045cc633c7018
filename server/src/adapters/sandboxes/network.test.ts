/** The one way out of a sandbox: a socket of its own, which ends with it. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'
import { openBubblewrap } from './bubblewrap.ts'

const { base, folder, provider } = testSandboxes()
const ask = 'curl -sS -m 10 --noproxy "*" http://127.0.0.1:3128/'

/** Answers each connection with a word, and remembers those that are open. */
function answering(word: string) {
  const open = new Set<Socket>()
  const connect = (connection: Socket) => {
    open.add(connection)
    connection.on('close', () => open.delete(connection)).on('error', () => {})
    connection.once('data', () => connection.end(`HTTP/1.1 200 OK\r\nContent-Length: ${word.length}\r\n\r\n${word}`))
  }
  return { open, connect }
}

const create = (id: string, network?: { connect(connection: Socket): void }) =>
  provider.create({ id, limits: testLimits, ...(network && { network }) })

test('what connects to the proxy inside arrives at its own proxy, and at no other', async () => {
  await using one = await create('one', answering('ONE'))
  await using two = await create('two', answering('TWO'))
  assert.deepEqual(await Promise.all([sayIn(one, ask), sayIn(two, ask)]), ['ONE', 'TWO'])
  await using none = await create('none')
  assert.equal(none.proxyUrl, null)
  assert.match(await sayIn(none, ask), /connect to server|refused/)
})

test('commands find the proxy in their environment, by all names that programs read', async () => {
  await using sandbox = await create('environment', answering(''))
  const url = 'http://127.0.0.1:3128'
  const names = 'HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy'
  assert.equal(await sayIn(sandbox, `for name in ${names}; do echo "\${!name}"; done | sort -u`), url)
  assert.equal(sandbox.proxyUrl, url)
  assert.equal(await sayIn(sandbox, 'echo "$NO_PROXY $no_proxy"'), 'localhost,127.0.0.1,::1 localhost,127.0.0.1,::1')
  await using none = await create('no-environment')
  assert.equal(await sayIn(none, 'env | grep -i -c proxy'), '0')
})

test('it is the only way: there is no other network, with a proxy or without', async () => {
  await using sandbox = await create('only', answering('ONE'))
  assert.equal(await sayIn(sandbox, 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "'), 'lo')
  assert.equal(await sayIn(sandbox, 'tail -n +2 /proc/net/route | wc -l'), '0')
  assert.match(await sayIn(sandbox, 'getent hosts example.com || echo nobody'), /^nobody$/)
  assert.match(
    await sayIn(sandbox, 'curl -sS -m 5 --noproxy "*" http://169.254.169.254/'),
    /Couldn't connect|unreachable/,
  )
})

test('the socket cannot be removed, replaced or moved from inside', async () => {
  const network = answering('STILL THE SAME')
  await using sandbox = await create('replaced', network)
  const text = await sayIn(
    sandbox,
    `socket=/run/runwright/network.sock; rm -f $socket; mv $socket /tmp/; ln -sf /tmp/mine $socket; chmod 0 $socket; : > $socket; ls /run/runwright`,
  )
  assert.match(text, /network\.sock/)
  assert.equal(await sayIn(sandbox, ask), 'STILL THE SAME')
})

test('a neighbour does not see the socket, and on the machine only the sandbox’s user may use it', async () => {
  await using _sandbox = await create('owner', answering(''))
  await using neighbour = await create('neighbour')
  assert.doesNotMatch(await sayIn(neighbour, 'ls -R /run 2>&1; find / -name network.sock 2>/dev/null'), /network\.sock/)
  const { mode, uid } = statSync(path.join(folder, 'owner', 'network.sock'))
  assert.equal(mode & 0o777, 0o600)
  assert.equal(uid, process.getuid?.() === 0 ? 64_900 : process.getuid?.())
})

test('with the sandbox ends the way out, whoever still uses it', async () => {
  const network = answering('')
  const sandbox = await create('ended', network)
  void sandbox.exec({ shell: 'sleep 600 | curl -sS -T - http://127.0.0.1:3128/', timeoutMs: 600_000 })
  void sandbox.exec({ shell: `exec 3<>/dev/tcp/127.0.0.1/3128; sleep 600`, timeoutMs: 600_000 })
  await until(() => network.open.size > 0, 'something is connected')
  await sandbox.stop('enough')
  await until(() => network.open.size === 0, 'nothing is connected')
  assert.ok(!existsSync(path.join(folder, 'ended', 'network.sock')))
  await using again = await create('ended', answering('AGAIN'))
  assert.equal(await sayIn(again, ask), 'AGAIN')
})

test('the socket of a service that was killed is taken over', async () => {
  const sandbox = await create('left', answering('OLD'))
  await sandbox.stop('enough')
  const file = path.join(folder, 'left', 'network.sock')
  // As a killed process leaves it: a file that nobody listens at.
  const left = createServer().listen(file)
  await new Promise((resolve) => left.once('listening', resolve))
  await using again = await create('left', answering('NEW'))
  assert.equal(await sayIn(again, ask), 'NEW')
  left.close()
})

test('a data folder may lie deeper than the path of a socket can say', async () => {
  const deep = path.join(base, ...Array.from({ length: 12 }, () => 'a-folder-of-some-length'))
  const provider = openBubblewrap({ folder: deep })
  await using sandbox = await provider.create({ id: 'deep', limits: testLimits, network: answering('DEEP') })
  assert.ok(path.join(deep, 'deep', 'network.sock').length > 107)
  assert.equal(await sayIn(sandbox, ask), 'DEEP')
  await sandbox.stop('enough')
  assert.deepEqual(
    readdirSync(path.join(deep, 'deep')).filter((name) => name.endsWith('.sock')),
    [],
  )
})

test('the thousandth connection from inside does not end the sandbox', async () => {
  const network = answering('')
  await using sandbox = await create('many', network)
  const program = `const net = require('node:net'); let open = 0, ended = 0
    const done = () => { if (open + ended === 1200) { console.log('done'); process.exit() } }
    for (let n = 0; n < 1200; n++) net.connect(3128, '127.0.0.1').on('connect', () => { open++; done() }).on('error', () => { ended++; done() })`
  const { output } = await sandbox.exec({
    argv: [`${sandbox.paths.nodeFolder}/node`, '-e', program],
    timeoutMs: 30_000,
  }).result
  assert.equal(output.toString().trim(), 'done')
  assert.equal(await sayIn(sandbox, 'echo alive'), 'alive')
})
