import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSandboxes } from '#test/test-sandboxes.ts'
import type { Suite } from './suite.ts'
import { withoutIdle } from './without-idle.ts'

const MiB = 1024 * 1024
const { provider } = testSandboxes()

const suite = (prepare: string): Suite => ({
  language: 'javascript',
  runner: 'node',
  command: 'node --test',
  prepare,
  leftOut: ['eslint .'],
  folder: '',
  python: null,
  files: [],
})

describe('what stands before the tests', () => {
  const cases: [prepare: string, isIdle: boolean, why: string][] = [
    ['test -f package.json && true', true, 'it reads'],
    ['mkdir -p node_modules/.cache && date > node_modules/.cache/lint', true, 'it writes what it has seen'],
    ['mkdir -p build && cp package.json build/', false, 'it writes'],
    ['rm -f old.txt', false, 'it removes'],
    ['cd sub', false, 'it changes the shell'],
    ['false', false, 'it fails'],
    ['sh build.sh', false, 'it builds, and has built already'],
  ]
  for (const [prepare, isIdle, why] of cases) {
    test(`is ${isIdle ? 'run once' : 'run each time'} where ${why}`, async () => {
      await using sandbox = await provider.create({
        id: `idle-${cases.findIndex(([one]) => one === prepare)}`,
        limits: { memoryBytes: 512 * MiB, processes: 64, diskBytes: 64 * MiB, lifetimeMs: 60_000 },
      })
      for (const file of ['package.json', 'old.txt', 'sub/a.js', 'node_modules/a/index.js'])
        await sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from('{}'))
      await sandbox.writeFile(`${sandbox.paths.workspace}/build.sh`, Buffer.from('test -f package.json'))
      const found = await withoutIdle(sandbox, suite(prepare), new AbortController().signal)
      assert.deepEqual([found.prepare, found.leftOut], isIdle ? ['', ['eslint .', prepare]] : [prepare, ['eslint .']])
    })
  }
})
