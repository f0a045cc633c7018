import assert from 'node:assert/strict'
import { test } from 'node:test'

// Runs inside sandboxes, where nothing is compiled; it has no types of its own.
const program: string = './inside/go-report.mjs'
type Told = { name: string; isPassing: boolean; error: string | null }
type Packages = Map<string, { isFailing: boolean; output: string }>
const { packageErrors, readEvents, readVerbose } = (await import(program)) as {
  readEvents: (text: string) => { tests: Told[]; packages: Packages; rest: string }
  packageErrors: (packages: Packages, tests: Told[], compiler: string) => { name: string; error: string }[]
  readVerbose: (text: string, end: { code: number | null; wasEnded: boolean }) => Told[]
}

const shown = (tests: Told[]) => tests.map(({ name, isPassing, error }) => [name, isPassing, error])

test('a test program that panics fails in the test that ran, also after what that printed', () => {
  const text = `=== RUN   TestA
--- PASS: TestA (0.00s)
=== RUN   TestB
=== RUN   TestB/sub
printed--- PASS: TestB/sub (0.01s)
--- SKIP: TestC (0.00s)
panic: no more
`
  const tests = readVerbose(text, { code: 2, wasEnded: false })
  assert.deepEqual(shown(tests), [
    ['TestA', true, null],
    ['TestB', false, 'the process ended with 2'],
    ['TestB/sub', true, null],
  ])
  assert.match(readVerbose('=== RUN   TestA\n', { code: null, wasEnded: true })[0]!.error!, /timed out/)
})

test('a package that fails though its tests do not is told of, with what the compiler says', () => {
  const event = (fields: object) => JSON.stringify({ Package: 'a/b', ...fields })
  const text = [
    event({ Action: 'output', Test: 'TestA', Output: '    a_test.go:3: wrong\n' }),
    event({ Action: 'fail', Test: 'TestA', Elapsed: 0.5 }),
    event({ Action: 'fail' }),
    'FAIL\ta/c [build failed]',
  ].join('\n')
  const { tests, packages } = readEvents(text)
  assert.deepEqual(shown(tests), [['TestA', false, 'a_test.go:3: wrong']])
  assert.deepEqual(packageErrors(packages, tests, 'c.go:1:1: no'), [
    { name: 'a/c', error: 'FAIL\ta/c [build failed]\nc.go:1:1: no' },
  ])
})
