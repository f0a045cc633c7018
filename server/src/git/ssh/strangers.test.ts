import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import ssh2, { type ClientChannel } from 'ssh2'
import { drained } from '#base/concurrency/drained.ts'
import { commitTo } from '#test/commit-to.ts'
import { makeSshKey, type SshKey } from '#test/ssh-client.ts'
import { testApp } from '#test/test-app.ts'
import { sshLimits } from './limits.ts'
import { openSsh, type SshServer } from './open-ssh.ts'

const { app, ask, member } = await testApp()
let ssh: SshServer
let key: SshKey
let upload: string
let receive: string
let repository: string

before(async () => {
  ssh = await openSsh(app, { host: '127.0.0.1', port: 0 })
  key = await makeSshKey()
  const me = await member()
  const made = await ask(`${me.path}/repos`, { method: 'POST', token: me.token, body: { name: 'web' } })
  const body = { title: 'CI', key: key.line, can_push: true }
  await ask(`${me.path}/repos/${made.body.id}/deploy-keys`, { method: 'POST', token: me.token, body })
  repository = path.join(app.config.dataDir, 'git', `${me.organizationId}/${made.body.id}.git`)
  // What does not compress.
  commitTo(repository, { branch: 'main', files: { 'big.txt': randomBytes(12 * 2 ** 20).toString('base64') } })
  upload = `git-upload-pack '/${me.organizationId}/web.git'`
  receive = `git-receive-pack '/${me.organizationId}/web.git'`
})
const sockets: net.Socket[] = []
after(async () => {
  for (const socket of sockets) socket.destroy()
  await ssh[Symbol.asyncDispose]()
})

const dial = () => {
  const socket = net.connect(ssh.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  return socket
}

/** A client that has signed in, over a socket that a test can hold still. */
async function signIn(): Promise<{ client: ssh2.Client; socket: net.Socket }> {
  const client = new ssh2.Client()
  const socket = dial()
  client.on('error', () => {})
  client.connect({ sock: socket, username: 'git', privateKey: key.private })
  await once(client, 'ready')
  return { client, socket }
}

const exec = (client: ssh2.Client, command: string, env: Record<string, string> = {}) =>
  new Promise<ClientChannel>((resolve, reject) =>
    client.exec(command, { env }, (error, channel) => (error ? reject(error) : resolve(channel))),
  )

async function outcome(channel: ClientChannel): Promise<{ code: number; stderr: string; printed: number }> {
  let [stderr, printed] = ['', 0]
  channel.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  channel.on('data', (chunk: Buffer) => (printed += chunk.length))
  const [code] = (await once(channel, 'close')) as [number]
  return { code, stderr, printed }
}

const closed = (socket: net.Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))

/** What the service answers to somebody who only asks which branches there are. */
async function serves(): Promise<boolean> {
  const { client } = await signIn()
  const channel = await exec(client, upload)
  channel.once('data', () => channel.end('0000'))
  const { code } = await outcome(channel)
  client.end()
  return code === 0
}

/** Whether git still has something to say of the repository. */
const isGitAtWork = () =>
  readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(repository)
    } catch {
      return false
    }
  })

/** How long the slowest of many requests over HTTP takes while something is going on. */
async function slowestRequestMs(work: Promise<unknown>): Promise<number> {
  let slowest = 0
  const over = new AbortController()
  void work.finally(() => over.abort())
  while (!over.signal.aborted) {
    const begun = performance.now()
    assert.equal((await ask('/healthz')).status, 200)
    slowest = Math.max(slowest, performance.now() - begun)
    await pause(5)
  }
  return slowest
}

test('connections that say nothing are limited for one address, and let others in when they go', async () => {
  const silent = Array.from({ length: sshLimits.strangersOfAddressMax }, dial)
  await Promise.all(silent.map((socket) => once(socket, 'data')))
  const onTop = dial()
  await closed(onTop)
  for (const socket of silent) socket.destroy()
  await Promise.all(silent.map(closed))
  while (!(await serves().catch(() => false))) await pause(20)
})

test('what is no SSH is cut off, however it comes', async () => {
  const garbage = [randomBytes(64 * 1024), Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000))]
  garbage.push(
    Buffer.from('SSH-1.5-old\r\n'),
    Buffer.from(`SSH-2.0-${'x'.repeat(9_000)}`),
    Buffer.from('SSH-2.0-x\r\n'.repeat(9_000)),
  )
  for (const bytes of garbage) {
    const socket = dial()
    socket.resume()
    socket.write(bytes)
    await closed(socket)
  }
  assert.ok(await serves())
})

test('a greeting that never ends is cut off after some kilobytes, and one packet after its length', async () => {
  const slow = dial()
  slow.resume()
  while (!slow.destroyed && slow.bytesWritten < 2 * sshLimits.greetingBytesMax) {
    slow.write('x\r\n'.repeat(100))
    await pause(1)
  }
  await closed(slow)
  const long = dial()
  long.resume()
  long.write('SSH-2.0-x\r\n')
  long.write(Buffer.from([0x7f, 0xff, 0xff, 0xff, 4, 20]))
  await closed(long)
})

test('wrong keys are tried so often and no more, and a password not at all', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, () => makeSshKey()))
  let failed = 0
  const client = new ssh2.Client()
  client.on('error', () => {})
  client.connect({
    host: '127.0.0.1',
    port: ssh.port,
    username: 'git',
    authHandler: (methods: string[] | null, _, next) => {
      if (methods) assert.deepEqual(methods, ['publickey'])
      const other = others[failed++ % others.length]!
      if (failed % 2) next({ type: 'publickey', username: 'git', key: other.private })
      else next({ type: 'password', username: 'git', password: 'x' })
    },
  })
  await once(client, 'close')
  assert.equal(failed, sshLimits.wrongKeysMax + 1)
})

test('who has only the public half of a key is not let in', async () => {
  const other = ssh2.utils.parseKey((await makeSshKey()).private)
  const known = ssh2.utils.parseKey(key.line)
  if (other instanceof Error || known instanceof Error) throw new Error('no key')
  const signatures = [(data: Buffer) => other.sign(data), () => Buffer.alloc(64), () => Buffer.alloc(0)]
  for (const sign of signatures) {
    let asked = 0
    class Agent extends ssh2.BaseAgent {
      getIdentities(done: (error: undefined, keys: ssh2.ParsedKey[]) => void) {
        done(undefined, [known as ssh2.ParsedKey])
      }
      sign(_: unknown, data: Buffer, ...more: unknown[]) {
        asked++
        ;(more.at(-1) as ssh2.SignCallback)(undefined, sign(data))
      }
    }
    const client = new ssh2.Client()
    const failed = once(client, 'ready').then(
      () => 'let in',
      (error: Error) => error.message,
    )
    client.connect({ host: '127.0.0.1', port: ssh.port, username: 'git', agent: new Agent() })
    assert.match(await failed, /authentication methods failed/)
    assert.equal(asked, 1)
    client.end()
  }
})

test('nobody gets a shell, a terminal, a tunnel, files or an agent', async () => {
  const { client } = await signIn()
  const refused = (begin: (done: (error?: Error | null) => void) => void) =>
    new Promise<string>((resolve) => begin((error) => resolve(error ? error.message : 'let in')))
  assert.match(await refused((done) => client.shell(done)), /Unable to (start|request)/)
  assert.match(await refused((done) => client.exec(upload, { pty: true }, done)), /pseudo-terminal/)
  assert.match(await refused((done) => client.exec(upload, { x11: true }, done)), /X11/)
  assert.match(await refused((done) => client.sftp(done)), /Unable to start subsystem: sftp/)
  assert.match(await refused((done) => client.subsys('netconf', done)), /Unable to start subsystem/)
  assert.match(
    await refused((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, done)),
    /Channel open failure/,
  )
  assert.match(await refused((done) => client.forwardIn('127.0.0.1', 0, done)), /Unable to bind/)
  client.end()
})

test('no variable but one reaches git, and that one only in its form', async () => {
  const { client } = await signIn()
  const env = { GIT_PROTOCOL: 'version=2', GIT_TRACE: '1', LD_PRELOAD: '/x', HUGE: 'x'.repeat(20_000) }
  const second = await exec(client, upload, env)
  const [first] = (await once(second, 'data')) as [Buffer]
  assert.match(first.toString(), /^000eversion 2\n/)
  second.end('0000')
  await outcome(second)
  const strange = await exec(client, upload, { GIT_PROTOCOL: 'version=2;touch /tmp/x' })
  const [old] = (await once(strange, 'data')) as [Buffer]
  assert.doesNotMatch(old.toString(), /version 2/)
  strange.end('0000')
  await outcome(strange)
  client.end()
})

test('ten thousand channels are refused, or end their connection, and take no memory', async () => {
  const { client, socket } = await signIn()
  const before = process.memoryUsage().rss
  let [opened, refused] = [0, 0]
  for (let asked = 0; asked < 10_000 && !socket.destroyed; asked++) {
    client.exec('x', (error) => (error ? refused++ : opened++))
    if (asked % 500 === 0) await pause(1)
  }
  await Promise.race([closed(socket), pause(2_000)])
  assert.ok(opened <= sshLimits.channelsMax, `${opened} were opened`)
  assert.ok(process.memoryUsage().rss - before < 200 * 2 ** 20)
  client.destroy()
  assert.ok(await serves())
})

test('requests that are no conversation end their connection', async () => {
  const { client, socket } = await signIn()
  const channel = await exec(client, receive)
  channel.resume()
  const { _protocol: protocol } = client as unknown as { _protocol: { ping(): void } }
  while (!socket.destroyed) {
    for (let asked = 0; asked < 500; asked++) protocol.ping()
    await pause(1)
    assert.ok(socket.bytesWritten < 8 * 2 ** 20, 'it goes on')
  }
})

test('a client that names packets of nothing is cut off', async () => {
  const { client, socket } = await signIn()
  const { _protocol: protocol } = client as unknown as {
    _protocol: { session(channel: number, window: number, packet: number): void }
  }
  protocol.session(77, 2 ** 31, 0)
  await closed(socket)
  assert.ok(await serves())
})

test('a client that sends more than its window holds is cut off', async () => {
  const { client, socket } = await signIn()
  const channel = await exec(client, receive)
  channel.resume()
  const { _protocol: protocol } = client as unknown as { _protocol: { channelData(id: number, data: Buffer): void } }
  const { id } = (channel as unknown as { outgoing: { id: number } }).outgoing
  // Of a push that names one branch and no pack yet: git has not begun, and nothing is read.
  const before = process.memoryUsage().rss
  const noise = Buffer.alloc(32 * 1024)
  for (let sent = 0; sent < 64 * 2 ** 20 && !socket.destroyed; sent += noise.length) {
    protocol.channelData(id, noise)
    if (socket.writableNeedDrain) await drained(socket)
  }
  client.destroy()
  assert.ok(process.memoryUsage().rss - before < 100 * 2 ** 20)
  assert.ok(await serves())
})

/** Asks for all of the repository. */
async function beginClone(client: ssh2.Client): Promise<ClientChannel> {
  const channel = await exec(client, upload)
  const [refs] = (await once(channel, 'data')) as [Buffer]
  // After the length of the first line.
  const commit = refs.toString('latin1', 4, 44)
  channel.write(`0032want ${commit}\n00000009done\n`)
  return channel
}

test('a clone by a client that takes nothing takes no memory: git waits for it, however it does that', async () => {
  const quick = await signIn()
  const begun = performance.now()
  const { code, printed } = await outcome(await beginClone(quick.client))
  const cloneMs = performance.now() - begun
  quick.client.end()
  assert.equal(code, 0)
  assert.ok(printed > 11 * 2 ** 20)
  for (const how of ['reads nothing', 'begins a key exchange and never ends it']) {
    const { client, socket } = await signIn()
    const channel = await beginClone(client)
    const { _protocol: protocol } = client as unknown as {
      _protocol: { channelWindowAdjust(id: number, bytes: number): void; rekey(): void }
    }
    protocol.channelWindowAdjust((channel as unknown as { outgoing: { id: number } }).outgoing.id, 2 ** 31)
    if (how === 'reads nothing') socket.pause()
    else {
      socket.removeAllListeners('data')
      protocol.rekey()
      socket.resume()
    }
    const slowest = await slowestRequestMs(pause(500 + 2 * cloneMs))
    assert.ok(slowest < 5_000, `a request took ${slowest} ms`)
    assert.ok(isGitAtWork(), `the service took all of it from git for a client that ${how}`)
    client.destroy()
    await closed(socket)
    while (isGitAtWork()) await pause(20)
  }
  assert.ok(await serves())
})
