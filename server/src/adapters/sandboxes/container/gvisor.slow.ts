/** Containers by gVisor, each with a kernel of its own, where this machine has it. */
import assert from 'node:assert/strict'
import { release } from 'node:os'
import { describe, test } from 'node:test'
import { startEngine, type ContainerEngine } from '#test/container-engine.ts'
import { sayIn, testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { openContainer } from './container.ts'

/** Asked for a platform that the machine has not, it hangs for minutes. */
const START_MS_MAX = 60_000

const engine = await startEngine({ runtime: 'runsc' })
if (typeof engine === 'string') test('containers by gVisor', { skip: engine }, () => {})
else describe('containers by gVisor', { timeout: START_MS_MAX }, () => tellOf(engine))

function tellOf({ socket, image }: ContainerEngine): void {
  const { provider } = testSandboxes((options) => openContainer({ ...options, socket, image, runtime: 'runsc' }))

  test('isolate, and say of each limit truthfully that nobody holds it', async () => {
    const { isolated, problems, notes, enforcement } = await provider.probe()
    assert.ok(isolated, problems.join(' '))
    assert.match(notes.join(' '), /call a kernel of their own/)
    assert.partialDeepStrictEqual(enforcement, { memory: 'none', cpu: 'none', processes: 'none', network: 'kernel' })
  })

  test('run commands and git, over the same files, apart and looking only', async () => {
    await using sandbox = await provider.create({ id: 'work', limits: testLimits })
    assert.notEqual(await sayIn(sandbox, 'uname -r'), release())
    assert.match(await sayIn(sandbox, 'dmesg'), /Starting gVisor/)
    const shell = 'git init -q . && echo one > one && git add one && git commit -qm one && git log --format=%s'
    assert.equal(await sayIn(sandbox, shell), 'one')
    const run = async (request: object) =>
      (await sandbox.exec({ shell: 'cat one; echo two > one', timeoutMs: 20_000, ...request }).result).output.toString()
    assert.match(await run({ looksOnly: true }), /^one\n.*Read-only/)
    assert.equal(await run({ ownNamespace: true }), 'one\n')
    assert.equal((await sandbox.readFile('one')).toString(), 'two\n')
  })
}
