/** Containers and Pods that were made ready before a run needed one: that each is as if made for its run, and that none is left. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { startEngine, type ContainerEngine } from '#test/container-engine.ts'
import { startKubernetes } from '#test/kubernetes-server.ts'
import { isAlive, processTree, sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'
import { placeLabel } from './container/container-labels.ts'
import { openContainer } from './container/container.ts'
import { openEngine } from './container/engine.ts'
import { openKubernetes } from './kubernetes/kubernetes.ts'
import type { PoolSetting } from './local-launch.ts'
import { readRecords } from './process-record.ts'
import type { CreateSandbox, SandboxProvider } from './sandbox.ts'
import { readWarmRecord } from './warm-files.ts'

const engine = await startEngine()
if (typeof engine === 'string') test('sandboxes that are made ready', { skip: engine }, () => {})
else {
  const cluster = await startKubernetes({ socket: engine.socket, volume: os.tmpdir() })
  after(cluster.stop)
  process.env.KUBECONFIG = cluster.kubeconfig
  describe('a container that was made ready', () => tellOfContainers(engine))
  describe('a Pod that was made ready', () => {
    tellOf((options, pool) => openKubernetes({ ...options, image: engine.image, runtime: null, pool }))
  })
}

type Open = (options: { folder: string }, pool: PoolSetting) => SandboxProvider

/** A provider with a pool of one, and what is to be seen of it. */
function openPool(open: Open) {
  let ready = 0
  const pool = { size: 1, quietMs: 1, onReady: (count: number) => (ready = count) }
  const sandboxes = testSandboxes((options) => open(options, pool))
  const { base, folder, provider } = sandboxes
  const objects = path.join(base, 'objects')
  const showObjects = (text: string) => {
    rmSync(objects, { recursive: true, force: true })
    mkdirSync(objects, { mode: 0o755 })
    writeFileSync(path.join(objects, 'whose'), text)
    chmodSync(path.join(objects, 'whose'), 0o644)
  }
  showObjects('ours')
  const create = (id: string, more: Partial<CreateSandbox> = {}) =>
    provider.create({ id, limits: testLimits, mounts: { objects }, recurs: true, ...more })
  const untilReady = () => until(() => ready === 1, 'one is ready')
  /** As another run did before. */
  const makeReady = async () => {
    if (ready === 1) return
    await (await create('before')).stop('done')
    await provider.remove('before')
    await untilReady()
  }
  const isOfPool = (id: string) => readWarmRecord(path.join(folder, id)) !== null
  const listWaiting = () => readdirSync(path.join(folder, '.warm'))
  return { ...sandboxes, create, untilReady, makeReady, showObjects, isOfPool, listWaiting, isReady: () => ready === 1 }
}

function tellOf(open: Open) {
  const pool = openPool(open)
  const { folder, provider, create, makeReady, isOfPool } = pool

  test("is its run's alone: its bait, variables, author, files, and its way out", async () => {
    await makeReady()
    const connections: string[] = []
    const other = { connect: () => void connections.push('nobody'), environment: () => ({ RUN_TOKEN: 'other' }) }
    const network = {
      connect: (socket: Socket) =>
        void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nmine\n'),
      environment: () => ({ RUN_TOKEN: "it's mine" }),
    }
    await (await create('first', { network: other, bait: { PASSWORD: 'bait of another' } })).stop('done')
    await pool.provider.remove('first')
    await pool.untilReady()
    const bait = { PASSWORD: `bait-of-${process.pid}`, SECRET: "a 'quoted'\nsecond" }
    const sandbox = await create('mine', {
      network,
      bait,
      author: { name: 'Ada "A" Lovelace', email: 'ada@example.com' },
    })
    assert.ok(isOfPool('mine'))
    assert.equal(sandbox.id, 'mine')
    const environments = `for file in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $file; done 2>/dev/null`
    assert.equal(await sayIn(sandbox, `env | grep -c -e PASSWORD -e BAIT -e bait`), '0')
    assert.equal(await sayIn(sandbox, `${environments} | grep -c ^PASSWORD=${bait.PASSWORD}$`), '1')
    assert.equal(await sayIn(sandbox, `${environments} | grep -A1 ^SECRET`), `SECRET=${bait.SECRET}`)
    assert.equal(await sayIn(sandbox, `${environments} | grep -c -e another -e RUN_TOKEN=other`), '0')
    assert.equal(await sayIn(sandbox, 'echo $RUN_TOKEN; cat /run/runwright/mounts/objects/whose'), "it's mine\nours")
    const commit = 'cd /workspace && git init -q . && git commit -q --allow-empty -m one && git log --format="%an %ae"'
    assert.equal(await sayIn(sandbox, commit), 'Ada "A" Lovelace ada@example.com')
    assert.equal(await sayIn(sandbox, 'find /workspace ~ /tmp -mindepth 1 -not -path "*/.git*"'), '')
    assert.equal(await sayIn(sandbox, 'curl -sS http://anywhere.invalid/'), 'mine')
    assert.deepEqual(connections, [])
    const apart = await sandbox.exec({
      shell: 'cd /workspace && git log --format=%s',
      timeoutMs: 20_000,
      looksOnly: true,
    }).result
    assert.equal(apart.output.toString(), 'one\n')

    await sandbox.stop('enough')
    const again = await create('mine', { author: { name: 'Grace', email: 'grace@example.com' } })
    assert.ok(!isOfPool('mine'), 'over files that are there it is started anew')
    assert.equal(await sayIn(again, 'cd /workspace && git log --format=%s; git config user.name'), 'one\nGrace')
    await provider.remove('mine')
    assert.ok(!existsSync(path.join(folder, 'mine')))
  })

  return pool
}

function tellOfContainers({ socket, image, words }: ContainerEngine): void {
  const named = `runwright-pool-${process.pid}`
  execFileSync('podman', [...words, 'tag', image, named])
  const settings = { socket, image: named, runtime: null }
  const pool = tellOf((options, setting) => openContainer({ ...options, ...settings, pool: setting }))
  const { folder, provider, create, makeReady, untilReady, isOfPool, listWaiting, showObjects } = pool
  const containers = () => openEngine(settings).list(placeLabel(folder))
  const waitingPid = () => readRecords(path.join(folder, '.warm', listWaiting()[0]!, 'processes.json')).at(-1)!.pid
  /** One more run; whether what it got was ready. */
  const isGiven = async (id: string, more: Partial<CreateSandbox> = {}) => {
    await using sandbox = await create(id, more)
    assert.equal(await sayIn(sandbox, 'ls; echo well'), 'well')
    return isOfPool(id)
  }

  test('goes to one of two who ask at the same moment; both get their own', async () => {
    await makeReady()
    const [one, two] = await Promise.all([create('one'), create('two')])
    assert.notEqual(isOfPool('one'), isOfPool('two'))
    await sayIn(one, 'echo one > whose')
    assert.equal(await sayIn(two, 'ls; echo mine alone'), 'mine alone')
    for (const id of ['one', 'two']) await provider.remove(id)
  })

  test('is given to no run that wants another kind: other limits, mounts, way out, image', async () => {
    await makeReady()
    assert.equal(await isGiven('limits', { limits: { ...testLimits, processes: 64 } }), false)
    await untilReady()
    assert.equal(await isGiven('no-mounts', { mounts: {} }), false)
    await makeReady()
    showObjects('another repository at the same path')
    await using renewed = await create('renewed')
    assert.ok(!isOfPool('renewed'))
    assert.equal(await sayIn(renewed, 'cat /run/runwright/mounts/objects/whose'), 'another repository at the same path')
    await untilReady()
    assert.equal(await isGiven('with-network', { network: { connect: (socket) => socket.destroy() } }), false)
    await makeReady()
    const id = execFileSync('podman', [...words, 'create', image, 'true'])
      .toString()
      .trim()
    execFileSync('podman', [...words, 'commit', '-q', id, named], { stdio: ['ignore', 'ignore', 'ignore'] })
    execFileSync('podman', [...words, 'rm', id], { stdio: 'ignore' })
    assert.equal(await isGiven('image'), false)
  })

  test('is not given once it has ended, or no longer answers', async () => {
    await makeReady()
    process.kill(waitingPid(), 'SIGKILL')
    assert.equal(await isGiven('after-death'), false)
    await untilReady()
    const frozen = processTree(waitingPid())
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    assert.equal(await isGiven('after-frost'), false)
    await until(() => !frozen.some(isAlive), 'the frozen one is removed')
  })

  test('is left alone by another process of the place, and swept once its service was killed', async () => {
    const program = `
      import { openContainer } from ${JSON.stringify(new URL('./container/container.ts', import.meta.url).href)}
      const onReady = (count) => count && console.log('ready')
      const provider = openContainer({ ...${JSON.stringify({ folder, ...settings })}, pool: { size: 1, quietMs: 1, onReady } })
      const limits = ${JSON.stringify({ ...testLimits, processes: 32 })}
      process.stdin.once('data', () => provider.create({ id: 'taken', limits, recurs: true }).then(() => console.log('taken')))
      await provider.create({ id: 'earlier', limits, recurs: true })`
    await provider.close()
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    after(() => owner.kill('SIGKILL'))
    let output = ''
    owner.stdout.on('data', (chunk: Buffer) => (output += chunk))
    await until(() => output === 'ready\n', 'one is ready')
    owner.stdin.write('\n')
    await until(() => output === 'ready\ntaken\nready\n', 'it was given, and another one is ready')
    assert.ok(isOfPool('taken'))
    assert.ok((await provider.list()).includes('taken'))
    assert.equal((await containers()).length, 3)
    const pids = [waitingPid(), readRecords(path.join(folder, 'taken/processes.json')).at(-1)!.pid]
    assert.ok(pids.every(isAlive))
    owner.kill('SIGKILL')
    await until(() => !isAlive(owner.pid!), 'the service is gone')
    assert.ok((await provider.list()).includes('taken'), 'its files stay')
    assert.deepEqual(listWaiting(), [])
    assert.deepEqual(pids.filter(isAlive), [])
    for (const id of await provider.list()) await provider.remove(id)
    assert.deepEqual(await containers(), [])
  })
}
