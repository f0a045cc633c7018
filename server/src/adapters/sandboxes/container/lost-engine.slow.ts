/** What becomes of containers when their service or their engine dies, and what the next service finds of them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { startEngine, type ContainerEngine } from '#test/container-engine.ts'
import { isAlive, processTree, sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'
import { readRecords } from '#adapters/sandboxes/process-record.ts'
import { labelsOf, placeLabel } from './container-labels.ts'
import { openContainer } from './container.ts'
import { openEngine } from './engine.ts'

const COMMAND_MS = 60_000

const first = await startEngine()
if (typeof first === 'string') test('containers whose engine or service dies', { skip: first }, () => {})
else describe('containers', () => tellOf(first))

function tellOf(running: ContainerEngine): void {
  const { socket, image } = running
  const { folder, provider, firstPid } = testSandboxes((options) =>
    openContainer({ ...options, socket, image, runtime: null }),
  )
  const engine = openEngine({ socket, image, runtime: null })
  const listed = () => engine.list(placeLabel(folder))

  /** Another service with a sandbox of id `owned` at work; `shell` is what works in it. */
  async function startOwner(shell: string) {
    const program = `
      import { openContainer } from ${JSON.stringify(new URL('./container.ts', import.meta.url).href)}
      const provider = openContainer(${JSON.stringify({ folder, socket, image, runtime: null })})
      const sandbox = await provider.create({ id: 'owned', limits: ${JSON.stringify(testLimits)} })
      sandbox.exec({ shell: ${JSON.stringify(shell)}, timeoutMs: 600000, onOutput: () => console.log('begun') })
      await sandbox.closed`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let isBegun = false
    owner.stdout.on('data', () => (isBegun = true))
    await until(() => isBegun, 'it is at work')
    return { owner, pids: processTree(firstPid('owned')) }
  }

  test('end by themselves when their service was killed, and are taken away by the next that looks', async () => {
    const { owner, pids } = await startOwner('setsid sleep 600 & trap "" TERM HUP; echo; sleep 600')
    assert.ok(pids.length >= 4)
    owner.kill('SIGKILL')
    await until(() => !pids.some(isAlive), 'all are gone')
    assert.ok((await provider.list()).includes('owned'), 'its files stay')
    assert.deepEqual(await listed(), [])
    await provider.remove('owned')
  })

  test('whose agent is frozen when their service was killed are taken away, too', async () => {
    const { owner, pids } = await startOwner(
      'echo; while ! test -e freeze; do sleep 0.1; done; kill -STOP $PPID; sleep 600',
    )
    writeFileSync(path.join(folder, 'owned/workspace/freeze'), '')
    await until(() => pids.some(isFrozen), 'the agent is frozen')
    owner.kill('SIGKILL')
    await until(() => !isAlive(owner.pid!), 'the service is gone')
    await provider.list()
    assert.deepEqual(pids.filter(isAlive), [])
    assert.deepEqual(await listed(), [])
    await provider.remove('owned')
  })

  test('are replaced by whoever takes over, with all that ran in them', async () => {
    const { owner, pids } = await startOwner('echo kept > kept; echo; sleep 600')
    owner.kill('SIGSTOP')
    await using next = await provider.create({ id: 'owned', limits: testLimits })
    assert.deepEqual(pids.filter(isAlive), [])
    assert.equal(await sayIn(next, 'cat kept'), 'kept')
    owner.kill('SIGCONT')
    await until(() => !isAlive(owner.pid!), 'the other service has ended')
    assert.equal(await sayIn(next, 'echo unharmed'), 'unharmed')
  })

  test('of another service that is alive, or in another folder, are left alone', async () => {
    const labels = { ...labelsOf({ folder: path.join(folder, 'other'), id: 'theirs', lifetimeMs: -600_000 }) }
    const { id, main } = await engine.start({
      Image: image,
      Entrypoint: ['/bin/sleep', '600'],
      Labels: labels,
      HostConfig: { Ulimits: ulimits },
    })
    await provider.list()
    await provider.remove('theirs')
    assert.equal((await engine.list(placeLabel(path.join(folder, 'other')))).length, 1)
    for (const pipe of main.stdio) pipe.destroy()
    await engine.remove(id)
  })

  test('whose engine is killed are lost, and say so; the next engine serves them again', async () => {
    const sandbox = await provider.create({ id: 'stranded', limits: testLimits })
    const working = sandbox.exec({ shell: 'echo before > before; trap "" TERM; sleep 600', timeoutMs: COMMAND_MS })
    await until(() => existsSync(path.join(folder, 'stranded/workspace/before')), 'it is at work')
    const pids = processTree(firstPid('stranded'))
    running.stop()
    assert.equal((await working.result).reason, 'sandbox_lost')
    assert.deepEqual(await sandbox.closed, { reason: 'lost' })
    assert.deepEqual(pids.filter(isAlive), [])
    assert.deepEqual(readRecords(path.join(folder, 'stranded/processes.json')), [])
    await assert.rejects(provider.create({ id: 'stranded', limits: testLimits }), /Nobody listens at|no socket at/)
    assert.match((await provider.probe()).problems.join(), /start the container engine/)

    assert.partialDeepStrictEqual(await startEngine({ socket }), { socket })
    await using next = await provider.create({ id: 'stranded', limits: testLimits })
    assert.equal((await listed()).length, 1, 'what the engine still knew of the lost one is gone')
    assert.equal(await sayIn(next, 'ls'), 'before')
  })
}

const ulimits = ['nofile', 'nproc'].map((Name) => ({ Name, Soft: 1_024, Hard: 1_024 }))

const isFrozen = (pid: number) => /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
