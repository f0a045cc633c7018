import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCause, findOutside } from './find-cause.ts'

const run = (...errors: string[]) => ({
  exitCode: 1,
  seconds: 1,
  timedOut: false,
  outputTail: '',
  tests: errors.map((error, at) => ({ file: 'a.test.js', name: `${at}`, isPassing: false, ms: 1, error })),
})

test('names a service that is away, a package and a program that are not installed', () => {
  assert.match(findCause(run('Error: connect ECONNREFUSED 127.0.0.1:5432'))!, /127\.0\.0\.1:5432/)
  assert.match(findCause(run("Error: Cannot find package 'pg' imported from /workspace/db.js"))!, /"pg"/)
  assert.match(findCause(run("ModuleNotFoundError: No module named 'flask'"))!, /"flask"/)
  const unregistered = 'importlib.metadata.PackageNotFoundError: No package metadata was found for humanize'
  assert.match(findCause(run(unregistered))!, /metadata of "humanize"[^]*pip install -e \./)
  const old =
    "pkg_resources.DistributionNotFound: The 'tool>=1.2' distribution was not found and is required by the application"
  assert.match(findCause(run(old))!, /metadata of "tool"/)
  assert.match(
    findCause(run('a.go:3:2: no required module provides package github.com/a/b; to add it:\n'))!,
    /"github.com\/a\/b"/,
  )
  const { tests, ...rest } = run('')
  const whole = tests.map((test) => ({ ...test, file: '', error: null }))
  assert.match(findCause({ ...rest, tests: whole, outputTail: 'sh: 1: jest: not found' })!, /"jest"/)
})

test('names what the compiler of Go says, but not what a test prints', () => {
  const error = 'FAIL a/b [build failed]\n# a/b [a/b.test]\nb/b.go:3:2: undefined: x\n'
  assert.match(findCause(run(error))!, /does not compile: b\/b\.go:3:2: undefined: x/)
  assert.equal(findCause(run('b_test.go:3:2: undefined: x')), null)
})

test('takes a failure for a fault where it may be one, also beside another cause', () => {
  assert.equal(findCause(run('AssertionError: 1 !== 2')), null)
  assert.equal(findCause(run('AssertionError: 1 !== 2', 'connect ECONNREFUSED ::1:80')), null)
  assert.equal(findCause(run("Cannot find module './cart'")), null)
})

test('leaves a file aside that finds no data where another test fails, and only there', () => {
  const missing = "Error: ENOENT: no such file or directory, scandir '/workspace/data'"
  const { tests, ...rest } = run(missing, 'AssertionError: 1 !== 2')
  const [unloaded, failing] = tests.map((test, at) => (at === 0 ? { ...test, name: '' } : test))
  assert.deepEqual(findOutside({ ...rest, tests: [unloaded!, failing!] }), [
    { id: 'a.test.js', cause: 'The tests need /workspace/data, which is not there.' },
  ])
  assert.deepEqual(findOutside({ ...rest, tests: [unloaded!] }), [])
  assert.equal(findCause({ ...rest, tests: [unloaded!] }), null)
  // A test that ran may have been given a wrong name by the code.
  assert.deepEqual(findOutside({ ...rest, tests }), [])
})
