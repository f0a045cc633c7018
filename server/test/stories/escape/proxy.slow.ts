/** Ways out through the one address that a sandbox with a network has. What is let through there is for `proxy/` to say. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import { before, test } from 'node:test'
import type { Sandbox, SandboxNetwork } from '#adapters/sandboxes/sandbox.ts'
import { sayIn, testLimits } from '#test/test-sandboxes.ts'
import { COMMAND_MS, openAttack } from './attack.ts'

const { folder, hasOwnKernel, provider, attempt } = await openAttack()
const inside = '/run/runwright/network.sock'
let mine: Sandbox
let theirs: Sandbox

/** Says whose proxy it is to whoever comes. */
const proxyOf = (name: string): SandboxNetwork => ({
  connect: (connection: Socket) => connection.on('error', () => {}).end(`the proxy of ${name}`),
})
/** What comes of a connection to each of these from a sandbox: what is said there, or why there was none. */
const connect = async (sandbox: Sandbox, targets: object[]) => {
  const program = `const net = require('node:net')
    const tries = JSON.parse(process.argv[1]).map((target) => new Promise((resolve) => {
      let said = ''
      const socket = net.connect(target).on('data', (chunk) => { said += chunk }).on('error', (error) => { said = error.code })
      socket.setTimeout(5000, () => socket.destroy()).on('close', () => resolve(said))
    }))
    Promise.all(tries).then((said) => console.log(JSON.stringify(said)))`
  const argv = [`${sandbox.paths.nodeFolder}/node`, '-e', program, JSON.stringify(targets)]
  const { stdout, output, exitCode } = await sandbox.exec({ argv, timeoutMs: COMMAND_MS }).result
  assert.equal(exitCode, 0, output.toString())
  return JSON.parse(stdout.toString()) as string[]
}

before(async () => {
  mine = await provider.create({ id: 'with-proxy', limits: testLimits, network: proxyOf('mine') })
  theirs = await provider.create({ id: 'with-another', limits: testLimits, network: proxyOf('theirs') })
})

test('goes out by its own address: there is its own proxy, and nowhere else is any', async () => {
  const [proxy, ...others] = await connect(mine, [
    { host: '127.0.0.1', port: 3128 },
    { host: '127.0.0.1', port: 80 },
    { host: '169.254.169.254', port: 80 },
    { host: '1.1.1.1', port: 443 },
    { host: '::1', port: 3128 },
  ])
  assert.equal(proxy, 'the proxy of mine')
  const nowhere = hasOwnKernel ? /^E(CONNREFUSED|HOSTUNREACH|NETUNREACH)$/ : /^E(CONNREFUSED|NETUNREACH|ADDRNOTAVAIL)$/
  assert.deepEqual(
    others.filter((answer) => !nowhere.test(answer)),
    [],
  )
})

test("goes out by another's proxy: each sandbox has its own, by whichever path", async () => {
  assert.deepEqual(await connect(theirs, [{ host: '127.0.0.1', port: 3128 }]), ['the proxy of theirs'])
  const paths = ['with-another/network.sock', '../sandboxes/with-another/network.sock'].map((name) =>
    path.join(folder, name),
  )
  const answers = await connect(
    mine,
    [...paths, `/proc/1/root${paths[0]}`].map((target) => ({ path: target })),
  )
  // What the first process has open is closed to commands.
  assert.deepEqual(answers, ['ENOENT', 'ENOENT', 'EACCES'])
})

test('goes out where it was given no proxy: nobody is there', async () => {
  const text = await attempt(
    `test -e ${inside} || echo none; curl -sS -m 5 -x http://127.0.0.1:3128 http://example.com`,
  )
  assert.match(text, /^none$/m)
  assert.match(text, /Failed to connect/)
  assert.doesNotMatch(await attempt('env'), /proxy/i)
})

test('removes, moves or replaces its proxy, to have the service connect elsewhere: read-only', async () => {
  const text = await sayIn(
    mine,
    `rm -f ${inside}; mv ${inside} /tmp/; ln -sfn /tmp/other ${inside}; mount --bind /tmp/other ${inside}; chmod 777 ${inside}; test -S ${inside} && echo there`,
  )
  assert.match(text, /Read-only|busy/)
  assert.match(text, /^there$/m)
  assert.deepEqual(await connect(mine, [{ path: inside }]), ['the proxy of mine'])
})

test('takes the address itself, to read what others of its sandbox send: it harms its own sandbox alone', async () => {
  await sayIn(mine, `pkill -f exec-agent.mjs; true`).catch(() => {})
  await mine.stop('done')
  assert.deepEqual(await connect(theirs, [{ host: '127.0.0.1', port: 3128 }]), ['the proxy of theirs'])
})

test('leaves its proxy open when it ends: it is closed', async () => {
  await provider.remove('with-proxy')
  assert.ok(!existsSync(path.join(folder, 'with-proxy/network.sock')))
})
