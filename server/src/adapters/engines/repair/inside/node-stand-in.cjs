// Stands in for node:test inside the bench: collects the tests of a file instead of running them, so that the bench
// can run each one alone, again and again, and measure it.
'use strict'
const assert = require('node:assert')
const real = process.getBuiltinModule('node:test')
const { addEach } = require('./node-each.cjs')

// How many parameters a test with a callback has: node:test gives a context first.
let callbackLength = 2
const mochaContext = { timeout: () => mochaContext, slow: () => mochaContext, retries: () => mochaContext }

let root = makeSuite(null, '')
let current = root

function makeSuite(parent, name, options = {}) {
  return {
    name,
    parent,
    options,
    tests: [],
    pending: [],
    hasBegun: false,
    hooks: { before: [], after: [], beforeEach: [], afterEach: [] },
  }
}

/** Forgets everything and collects anew. */
function begin() {
  root = makeSuite(null, '')
  root.all = []
  root.suites = [root]
  current = root
  real.mock.reset()
  return root
}

function readArguments(name, options, fn) {
  if (typeof name === 'function') return { name: name.name || '<anonymous>', options: {}, fn: name }
  if (typeof name === 'object' && name) return { name: '<anonymous>', options: name, fn: options }
  if (typeof options === 'function') return { name, options: {}, fn: options }
  return { name, options: options ?? {}, fn }
}

function test(...given) {
  const read = readArguments(...given)
  root.all.push({ ...read, suite: current })
  return Promise.resolve()
}

function describe(...given) {
  const { name, options, fn } = readArguments(...given)
  const suite = makeSuite(current, name, options)
  root.suites.push(suite)
  const outer = current
  current = suite
  try {
    const result = fn?.call({ ...mochaContext, name }, { name })
    if (result?.then) root.pending.push(result)
  } finally {
    current = outer
  }
  return Promise.resolve()
}

for (const kind of ['skip', 'todo']) {
  test[kind] = (...given) => {
    const { name, options, fn } = readArguments(...given)
    return test(name, { ...options, [kind]: true }, fn)
  }
  describe[kind] = (...given) => {
    const { name, options, fn } = readArguments(...given)
    return describe(name, { ...options, [kind]: true }, fn ?? (() => {}))
  }
}
test.only = test
describe.only = describe

const hook = (kind) => (fn) => void current.hooks[kind].push(fn)
test.before = hook('before')
test.after = hook('after')
test.beforeEach = hook('beforeEach')
test.afterEach = hook('afterEach')

function chain(suite) {
  return suite ? [...chain(suite.parent), suite] : []
}

function isSkipped({ options, suite, fn }) {
  return !fn || [options, ...chain(suite).map((one) => one.options)].some((one) => one.skip || one.todo)
}

function call(fn, context) {
  if (fn.length < callbackLength) return fn.call(context, context)
  const done = (resolve, reject) => (error) => (error ? reject(error) : resolve())
  return new Promise((resolve, reject) => {
    if (callbackLength === 1) fn.call(context, done(resolve, reject))
    else fn.call(context, context, done(resolve, reject))
  })
}

/** Runs one test with the hooks around it. `guard` calls a function under a time limit. */
async function runTest({ name, fn, suite }, guard) {
  const suites = chain(suite)
  for (const one of suites) {
    if (one.hasBegun) continue
    one.hasBegun = true
    for (const before of one.hooks.before) await guard(() => call(before, {}))
  }
  const context = makeContext(name)
  try {
    for (const one of suites) {
      for (const each of one.hooks.beforeEach) await guard(() => call(each, context))
    }
    await guard(() => call(fn, context))
    await context.settle(guard)
  } finally {
    for (const one of suites.toReversed()) {
      for (const each of one.hooks.afterEach) await guard(() => call(each, context))
    }
    for (const after of context.afterHooks) await guard(() => call(after, context))
    context.mock.reset()
  }
}

async function runAfterHooks(guard) {
  for (const suite of root.suites.toReversed()) {
    if (!suite.hasBegun) continue
    for (const after of suite.hooks.after) await guard(() => call(after, {}))
  }
}

function makeContext(name) {
  const subtests = []
  let planned = null
  let counted = 0
  const countedAssert = new Proxy(assert, {
    get(target, key) {
      if (typeof target[key] !== 'function') return target[key]
      return (...given) => {
        counted++
        return target[key](...given)
      }
    },
  })
  const context = {
    ...mochaContext,
    name,
    fullName: name,
    signal: new AbortController().signal,
    assert: countedAssert,
    mock: new real.mock.constructor(),
    afterHooks: [],
    plan: (count) => void (planned = count),
    after: (fn) => void context.afterHooks.push(fn),
    before: (fn) => void subtests.push(Promise.resolve().then(fn)),
    beforeEach: (fn) => void (context.eachBefore = fn),
    afterEach: (fn) => void (context.eachAfter = fn),
    test: (...given) => {
      const { name: subName, options, fn } = readArguments(...given)
      counted++
      if (options.skip || options.todo || !fn) return Promise.resolve()
      const inner = makeContext(subName)
      const run = (async () => {
        if (context.eachBefore) await context.eachBefore(inner)
        await call(fn, inner)
        await inner.settle((act) => act())
        if (context.eachAfter) await context.eachAfter(inner)
      })()
      subtests.push(run)
      // A failed subtest fails its parent when that ends; awaiting it does not throw, as in node:test.
      return run.then(
        () => undefined,
        () => undefined,
      )
    },
    diagnostic() {},
    skip() {},
    todo() {},
    runOnly() {},
    async settle(guard) {
      await guard(() => Promise.all(subtests))
      if (planned !== null && planned !== counted)
        throw new Error(`plan expected ${planned} assertions, got ${counted}`)
    },
  }
  context.it = context.test
  return context
}

/** Describes tests as mocha, jest and vitest do: through globals, with hooks by other names as well. `each`: how these name rows. */
function useGlobals(more, each) {
  callbackLength = 1
  for (const make of [test, describe]) {
    for (const one of [make, make.skip]) addEach(one, { ...each, isSuite: make === describe })
    make.skipIf = (is) => (is ? make.skip : make)
    make.runIf = (is) => (is ? make : make.skip)
    make.concurrent = make.sequential = make
  }
  const names = { test, it: test, specify: test, describe, context: describe, suite: describe, ...hooks(), ...more }
  Object.assign(globalThis, names)
  return names
}

function hooks() {
  const { before, after, beforeEach, afterEach } = test
  return { before, after, beforeAll: before, afterAll: after, beforeEach, afterEach }
}

module.exports = test
module.exports.test = test
module.exports.it = test
module.exports.describe = describe
module.exports.suite = describe
module.exports.before = test.before
module.exports.after = test.after
module.exports.beforeEach = test.beforeEach
module.exports.afterEach = test.afterEach
module.exports.skip = test.skip
module.exports.todo = test.todo
module.exports.only = test.only
module.exports.mock = real.mock
module.exports.assert = real.assert
module.exports.run = real.run
module.exports.snapshot = real.snapshot
module.exports.bench = { begin, runTest, runAfterHooks, isSkipped, chain, useGlobals }
