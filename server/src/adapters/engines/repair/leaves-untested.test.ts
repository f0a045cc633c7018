import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSandboxes } from '#test/test-sandboxes.ts'
import type { Fault } from './find-fault.ts'
import { makeFix } from './fix.ts'
import { installTools } from './install-tools.ts'
import { leavesUntested } from './leaves-untested.ts'
import { defaultRepairLimits } from './repair-limits.ts'
import type { Suite } from './suite.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 1024 * MiB, processes: 256, diskBytes: 256 * MiB, lifetimeMs: 60_000 }
const { provider } = testSandboxes()
const { signal } = new AbortController()

const source = `export function at(list, index) {
  const rest = index
  if (rest < 0) {
    return null
  }
  return list[rest]
}
`
const testFile = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from './at.js'
test('long before the start', () => assert.equal(at(['a'], -5), undefined))
test('just before the start', () => assert.equal(at(['a'], -1), null))
test('at the start', () => assert.equal(at(['a'], 0), 'a'))
`
const suite = { language: 'javascript', runner: 'node', folder: '', python: null } as Suite
const failing = [{ file: 'at.test.js', name: 'long before the start', ms: 1, isPassing: false }]
const inside = { file: 'at.test.js', name: 'at the start', ms: 1, isPassing: true }
const outside = { ...inside, name: 'just before the start' }

/** `passing`: how many passing tests run each line; some of them are `tests`. */
async function isUntested(
  from: string,
  to: string,
  passing: Record<string, number>,
  tests = [inside],
): Promise<boolean> {
  await using sandbox = await provider.create({ id: `untested-${Math.random().toString(36).slice(2)}`, limits })
  for (const [file, text] of [['at.js', source] as const, ['at.test.js', testFile] as const])
    await sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from(text))
  await installTools(sandbox)
  const start = source.indexOf(from)
  const edit = { kind: 'wrong_name', file: 'at.js', start, end: start + from.length, text: to, line: 3 } as const
  const fix = await makeFix({ ...edit, prior: 1, score: 1, order: 1 }, source)
  const files = [{ file: 'at.js', lines: {}, passing, tests }]
  const fault: Fault = { files, hashes: {}, mode: 'warm', failing, passing: [] }
  return await leavesUntested({ sandbox }, fix, { suite, fault, limits: defaultRepairLimits, signal })
}

describe('what no test runs any more', () => {
  const seenByNone = { 2: 1, 3: 1, 4: 0, 6: 1 }
  const seenByOne = { 2: 2, 3: 2, 4: 1, 6: 1 }
  test('is what a condition that never holds led to', async () => {
    assert.equal(await isUntested('rest < 0', 'list < 0', seenByNone), true)
  })
  test('is not there where the tests still come by', async () => {
    assert.equal(await isUntested('rest < 0', 'rest === -1', seenByOne, [inside, outside]), false)
  })
  test('is what a condition leads to that might as well never hold', async () => {
    assert.equal(await isUntested('rest < 0', 'rest === -1', seenByNone), true)
  })
  test('is not what a passing test runs, too', async () => {
    assert.equal(await isUntested('rest < 0', 'rest < 0 && index > -3', seenByOne, [inside, outside]), false)
  })
  test('is what passing tests ran and pass without', async () => {
    assert.equal(await isUntested('index\n', '-index\n', seenByOne, [inside, outside]), true)
  })
  test('is not known where the passing tests would take too long', async () => {
    const slow = { ...outside, ms: 60_000 }
    assert.equal(await isUntested('index\n', '-index\n', seenByOne, [inside, slow]), false)
  })
  test('is nothing where no condition was changed', async () => {
    assert.equal(await isUntested('return null', 'return undefined', seenByNone), false)
  })
})
