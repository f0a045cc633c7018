import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { MemoryTurn } from '#test/memory-turn.ts'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import { installTools } from './install-tools.ts'
import { defaultRepairLimits } from './repair-limits.ts'
import { findBroken } from './run-tests.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 512 * MiB, processes: 64, diskBytes: 64 * MiB, lifetimeMs: 120_000 }
const folder = mkdtempSync(path.join(tmpdir(), 'run-tests-'))
chmodSync(folder, 0o711)
const provider = openBubblewrap({ folder: path.join(folder, 'sandboxes') })
after(() => removeTree(folder))

const pretest = 'node build.js'

/** What fails in a project whose build always fails; `isRight`: whether its test passes by itself. */
async function failingOf({ isRight }: { isRight: boolean }) {
  await using sandbox = await provider.create({ id: `pretest-${Math.random().toString(36).slice(2)}`, limits })
  const files = {
    'package.json': JSON.stringify({ type: 'module', scripts: { pretest, test: 'node --test' } }),
    'build.js': "throw new Error('this machine has no compiler')\n",
    'sum.js': `export const sum = (a, b) => a ${isRight ? '+' : '-'} b\n`,
    'sum.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from './sum.js'
test('adds', () => assert.equal(sum(1, 2), 3))\n`,
  }
  for (const [file, text] of Object.entries(files))
    await sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from(text))
  await installTools(sandbox)
  const { before, suite } = await findBroken(new MemoryTurn({ sandbox }), defaultRepairLimits)
  return { leftOut: suite.leftOut, failing: before.tests.filter((one) => !one.isPassing).map(({ name }) => name) }
}

test('a build that fails before the tests is left out where a test fails without it', async () => {
  assert.deepEqual(await failingOf({ isRight: false }), { leftOut: [pretest], failing: ['adds'] })
})

test('a build that fails before tests that pass is what fails', async () => {
  assert.deepEqual(await failingOf({ isRight: true }), { leftOut: [], failing: ['node --test'] })
})
