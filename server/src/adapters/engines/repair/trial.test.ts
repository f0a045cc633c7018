import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSandboxes } from '#test/test-sandboxes.ts'
import type { Fault } from './find-fault.ts'
import { installTools } from './install-tools.ts'
import { defaultRepairLimits as limits } from './repair-limits.ts'
import type { Suite } from './suite.ts'
import { openWarmTrial } from './trial.ts'

const MiB = 1024 * 1024
const sandboxLimits = { memoryBytes: 512 * MiB, processes: 128, diskBytes: 256 * MiB, lifetimeMs: 120_000 }
const { provider } = testSandboxes()
const { signal } = new AbortController()

test('a change that ends the bench passes nothing, however it is asked, and the next one is tried as ever', async () => {
  await using sandbox = await provider.create({ id: 'trial', limits: sandboxLimits })
  const file = 'double.js'
  const files = {
    'package.json': '{ "type": "module" }',
    [file]: 'export const double = (a) => a\n',
    'double.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { double } from './double.js'
test('two', () => assert.equal(double(2), 4))
test('nothing', () => assert.equal(double(0), 0))
`,
  }
  for (const [name, text] of Object.entries(files))
    await sandbox.writeFile(`${sandbox.paths.workspace}/${name}`, Buffer.from(text))
  await installTools(sandbox)
  const testOf = (name: string, isPassing: boolean) => ({
    file: 'double.test.js',
    name,
    ms: 1,
    isPassing,
    isHanging: false,
  })
  const fault: Fault = {
    files: [],
    hashes: {},
    mode: 'warm',
    failing: [testOf('two', false)],
    passing: [testOf('nothing', true)],
  }
  const suite = { language: 'javascript', runner: 'node', folder: '', python: null } as Suite
  await using trial = await openWarmTrial({ sandbox }, suite, fault, { limits, signal })
  const ends = "export const double = () => process.kill(process.pid, 'SIGKILL')\n"
  const right = 'export const double = (a) => 2 * a\n'
  assert.equal((await trial.run(file, ends)).verdict, 'hangs')
  assert.deepEqual(await trial.runFailing(file, ends), [])
  assert.equal(await trial.runPassing(file, ends), 'hangs')
  assert.equal((await trial.run(file, right)).verdict, 'passes')
  assert.deepEqual(await trial.runFailing(file, right), ['double.test.js > two'])
})
