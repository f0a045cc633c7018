import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'

const require = createRequire(import.meta.url)
const standIn = require('./inside/node-stand-in.cjs')
const { makeAva } = require('./inside/ava.cjs')

type T = Record<string, (...values: unknown[]) => unknown> & { context: Record<string, unknown> }
type Add = (...values: unknown[]) => void
type Ava = Add & Record<'before' | 'beforeEach' | 'afterEach' | 'failing' | 'skip' | 'todo', Add>

/** What becomes of each test that `make` adds: null where it passes, else the first line of its error. */
async function run(make: (ava: Ava) => void): Promise<Record<string, string | null>> {
  const root = standIn.bench.begin()
  make(makeAva(standIn, null))
  const results: Record<string, string | null> = {}
  for (const one of root.all.filter((each: unknown) => !standIn.bench.isSkipped(each))) {
    const ran = standIn.bench.runTest(one, (act: () => unknown) => act())
    results[one.name] = await ran.then(
      () => null,
      (error: Error) => error.message.split('\n')[0]!,
    )
  }
  return results
}

test('hooks and tests of AVA share their context, also a new one, and no test that of another', async () => {
  const seen: unknown[] = []
  const results = await run((ava) => {
    ava.before((t: T) => (t.context = { all: 1 }))
    ava.beforeEach((t: T) => (t.context = { ...t.context, each: 2 }))
    ava.afterEach((t: T) => void seen.push({ ...t.context }))
    for (const name of ['one', 'two']) {
      ava(name, (t: T) => {
        t.deepEqual!(t.context, { all: 1, each: 2 })
        t.context[name] = 3
      })
    }
  })
  assert.deepEqual(results, { one: null, two: null })
  assert.deepEqual(seen, [
    { all: 1, each: 2, one: 3 },
    { all: 1, each: 2, two: 3 },
  ])
})

test('what fails a test of AVA fails it here', async () => {
  const results = await run((ava) => {
    ava('nothing is asserted', () => {})
    ava('one of two', (t: T) => {
      t.plan!(2)
      t.pass!()
    })
    ava('caught', (t: T) => {
      try {
        t.is!(1, 2)
      } catch {
        t.pass!()
      }
    })
    ava('does not throw', (t: T) => t.throws!(() => {}))
    ava('throws another', (t: T) => t.throws!(() => assert.fail('one'), { message: /two/ }))
    ava('throws later', async (t: T) =>
      t.throwsAsync!(Promise.reject(new RangeError('late')), { instanceOf: RangeError }),
    )
    ava.failing('fails as it should', (t: T) => t.fail!())
    ava.failing('should fail', (t: T) => t.pass!())
    ava.skip('left out', (t: T) => t.fail!())
    ava((t: T, a: number) => t.is!(a, 1), 1)
  })
  const failing = Object.keys(results).filter((name) => results[name] !== null)
  assert.deepEqual(failing, [
    'nothing is asserted',
    'one of two',
    'caught',
    'does not throw',
    'throws another',
    'should fail',
  ])
  assert.equal(results['caught'], 'Expected values to be strictly equal:')
  assert.equal(Object.keys(results).length, 9)
})
