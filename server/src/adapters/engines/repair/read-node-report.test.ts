import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readNodeReport } from './read-node-report.ts'

function line(names: string[], isPassing: boolean, more: object = {}): string {
  const file = '/workspace/a.test.js'
  return JSON.stringify({ file, names, isPassing, isSuite: false, isSkipped: false, ms: 1, error: null, ...more })
}

const read = (...lines: string[]) =>
  readNodeReport(`${lines.join('\n')}\n`, '/workspace').map(({ name, isPassing, error }) => ({
    name,
    isPassing,
    error,
  }))

test('names a test by its groups and leaves groups out', () => {
  assert.deepEqual(
    read(line(['g', 'a'], true), line(['g'], true, { isSuite: true }), line(['b'], false, { error: 'e' })),
    [
      { name: 'g > a', isPassing: true, error: null },
      { name: 'b', isPassing: false, error: 'e' },
    ],
  )
})

test('counts subtests as their test, which takes their error', () => {
  const inner = line(['t', 'inner'], false, { error: '1 is not 2' })
  assert.deepEqual(read(inner, line(['t'], false, { error: '1 subtest failed' })), [
    { name: 't', isPassing: false, error: '1 is not 2' },
  ])
})

test('tells of a file that does not load, and of a hook that fails', () => {
  const whole = line(['/workspace/a.test.js'], false, { error: 'SyntaxError' })
  assert.deepEqual(read(whole), [{ name: '', isPassing: false, error: 'SyntaxError' }])
  const hook = line(['g'], false, { isSuite: true, error: 'before failed' })
  assert.deepEqual(read(line(['g', 'a'], true), hook).at(-1), { name: '', isPassing: false, error: 'before failed' })
})

test('leaves skipped tests and a line cut in two out', () => {
  assert.deepEqual(read(line(['a'], true, { isSkipped: true }), '{"file":"/workspace/b'), [])
})

test("mocha's report names the groups of a test, also of a mocha that does not tell them", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mocha-report-'))
  try {
    // Its tests and groups have no `titlePath` before mocha 5.
    const script = `const runner = new (require('node:events'))()
require(${JSON.stringify(path.join(import.meta.dirname, 'inside/mocha-reporter.cjs'))})(runner)
const group = { title: 'cart', file: '/workspace/cart.js', parent: { root: true, title: '' } }
runner.emit('suite', group)
runner.emit('pass', { title: 'adds', file: '/workspace/cart.js', duration: 1, parent: group })`
    const env = { ...process.env, RUNWRIGHT_REPORTS: folder }
    const { stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', env })
    const [name] = await readdir(folder)
    const text = await readFile(path.join(folder, name ?? ''), 'utf8').catch(() => stderr)
    assert.deepEqual(readNodeReport(text, '/workspace'), [
      { file: 'cart.js', name: 'cart > adds', isPassing: true, ms: 1, error: null },
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})
