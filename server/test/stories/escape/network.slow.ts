/** Ways out over the network, of a sandbox that has none. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openAttack } from './attack.ts'

const { base, hasOwnKernel, attempt, attemptInPerl, attemptInNode } = await openAttack()
const abstractName = `\0runwright-test-${process.pid}`
const socketPath = path.join(base, 'service.sock')
const servers: Server[] = []
let port = 0
let reached = 0

before(async () => {
  for (const address of [{ port: 0, host: '::' }, { path: abstractName }, { path: socketPath }]) {
    const server = createServer((socket) => {
      reached++
      socket.on('error', () => {}).end('REACHED')
    })
    server.listen(address)
    await once(server, 'listening')
    servers.push(server)
  }
  port = (servers[0]!.address() as { port: number }).port
  chmodSync(socketPath, 0o777)
})
after(() => {
  for (const server of servers) server.close()
})

/** What became of attempts to connect from inside. */
async function connect(targets: object[]): Promise<string[]> {
  const program = `const net = require('node:net'); const targets = JSON.parse(process.argv[1])
    for (const target of targets) {
      const socket = net.connect(target)
      const tell = (what) => { console.log(what); socket.destroy() }
      socket.once('error', (error) => tell(error.code)).once('connect', () => tell('CONNECTED')).setTimeout(3000, () => tell('SILENCE'))
    }`
  const answers = (await attemptInNode(program, JSON.stringify(targets))).split('\n')
  assert.equal(answers.length, targets.length)
  return answers
}

test('connects to this machine, its neighbours, the metadata address and the internet: no way leads there', async () => {
  const own = Object.values(networkInterfaces())
    .flat()
    .flatMap((address) => (address && !address.internal ? [address.address] : []))
  const hosts = ['127.0.0.1', '::1', '0.0.0.0', ...own, '169.254.169.254', '1.1.1.1', 'fd00:ec2::254', '10.0.0.1']
  const answers = await connect(hosts.map((host) => ({ host, port })))
  // gVisor's network says that of itself where there is nothing but a loopback.
  const nowhere = hasOwnKernel
    ? /^E(CONNREFUSED|HOSTUNREACH|NETUNREACH)$/
    : /^E(CONNREFUSED|NETUNREACH|ADDRNOTAVAIL|INVAL)$/
  assert.deepEqual(
    answers.filter((answer) => !nowhere.test(answer)),
    [],
  )
  assert.equal(reached, 0)
})

test("connects to the machine's local sockets, by name and by path: they are not there", async () => {
  const paths = [
    abstractName,
    socketPath,
    '/var/run/docker.sock',
    '/run/dbus/system_bus_socket',
    '/run/systemd/private',
    '/tmp/.X11-unix/X0',
    '/tmp/.s.PGSQL.5432',
    '/var/run/postgresql/.s.PGSQL.5432',
  ]
  const answers = await connect(paths.map((target) => ({ path: target })))
  assert.deepEqual(
    answers.filter((answer) => !/^E(CONNREFUSED|NOENT)$/.test(answer)),
    [],
  )
  assert.equal(reached, 0)
})

test('tells something by asking for names: nobody is asked', async () => {
  assert.equal(await attempt('getent hosts secret.example.com; getent hosts localhost | grep -c localhost'), '1')
  assert.equal(await attempt('cat /etc/resolv.conf; ls /run/systemd/resolve 2>/dev/null | wc -l'), '0')
  const program = `require('node:dns').resolve('secret.example.com', (error) => console.log(error.code))`
  assert.match(await attemptInNode(program), /^(ECONNREFUSED|ETIMEOUT|ENOTFOUND|ESERVFAIL)$/)
})

test('sends datagrams into the dark, to a resolver, to everybody, and as multicast: they do not leave', async () => {
  for (const address of ['8, 8, 8, 8', '255, 255, 255, 255', '224, 0, 0, 251', '127, 0, 0, 53']) {
    const send = `socket(my $s, 2, 2, 0); setsockopt($s, 1, 6, 1); $! = 0; send($s, "x", 0, pack("S n C4 x8", 2, 53, ${address})); print $! ? "no" : "SENT"`
    // What goes to the sandbox's own loopback reaches nobody.
    assert.match(await attemptInPerl(send), address.startsWith('127') ? /^(no|SENT)$/ : /^no$/)
  }
  assert.doesNotMatch(await attempt('ping -c 1 -W 1 1.1.1.1'), /1 received/)
})

test('makes itself a network: it may configure none', async () => {
  const text = await attempt(
    `ip link add d0 type dummy; ip link add v0 type veth; ip addr add 10.9.9.9/24 dev lo; ip route add default via 127.0.0.1
     ip tuntap add t0 mode tun; iptables -t nat -L; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "`,
  )
  assert.match(text, /^lo$/m)
  assert.doesNotMatch(text, /^(d0|v0|t0|Chain.*)$/m)
  assert.equal(await attempt('cat /proc/net/route | wc -l'), '1')
})

test("takes over another's network by its process or a file of it: refused", async () => {
  const text = await attempt(
    'for file in /proc/[0-9]*/ns/net; do nsenter --net=$file ip addr; done; ls /run/netns /var/run/netns',
  )
  assert.doesNotMatch(text, /inet /)
})

test('calls the exec agent or the service on a port: nobody listens inside', async () => {
  assert.equal(await attempt('tail -n +2 /proc/net/tcp /proc/net/tcp6 | grep -c " 0A "'), '0')
  assert.deepEqual(await connect([{ host: '127.0.0.1', port: 3128 }]), ['ECONNREFUSED'])
})
