// Stands in for AVA inside the bench. Snapshots it does not know: tests that need them fail here, and differ from AVA's own.
'use strict'
const assert = require('node:assert')
const { inspect, isDeepStrictEqual } = require('node:util')

/** `collect` takes tests and hooks as node:test does; `concordance` is the package that AVA compares values with. */
function makeAva(collect, concordance) {
  const compare = concordance?.compare ?? ((actual, expected) => ({ pass: isDeepStrictEqual(actual, expected) }))
  /** What hooks before and after all tests keep in `t.context`; each test begins with a copy of it. */
  let shared = { kept: {} }
  const ownOfAll = () => ({ holder: shared, undo() {} })
  const ownOfTest = (context) => {
    context.kept ??= { ...shared.kept }
    return { holder: context, undo: (fn) => context.after(fn) }
  }

  const add = (given, options) => {
    const [title, implementation, ...rest] =
      typeof given[0] === 'function' || given[0]?.exec ? [undefined, ...given] : given
    const { exec, title: titleOf } =
      typeof implementation === 'function'
        ? { exec: implementation, title: implementation.title }
        : (implementation ?? {})
    const name = String(titleOf ? titleOf(title, ...rest) : title)
    const run = (context) => runTest(exec, rest, { compare, name, options, ...ownOfTest(context) })
    collect(name.trim().replace(/\s+/g, ' '), options, exec && run)
  }
  const ava = (...given) => add(given, {})

  const hook = (kind, ownOf) => {
    const addHook = (...given) => {
      const fn = given.find((one) => typeof one === 'function')
      const own = { compare, name: 'hook', options: { isHook: true } }
      collect[kind]((context) => runTest(fn, [], { ...own, ...ownOf(context) }))
    }
    return Object.assign(addHook, { always: addHook, skip() {} })
  }

  return Object.assign(ava, {
    serial: ava,
    only: ava,
    skip: (...given) => add(given, { skip: true }),
    todo() {},
    failing: (...given) => add(given, { mustFail: true }),
    macro: (macro) => (typeof macro === 'function' ? { exec: macro } : macro),
    before: hook('before', ownOfAll),
    after: hook('after', ownOfAll),
    beforeEach: hook('beforeEach', ownOfTest),
    afterEach: hook('afterEach', ownOfTest),
    meta: { file: '', snapshotDirectory: '' },
    begin: () => void (shared = { kept: {} }),
  })
}

async function runTest(fn, args, own) {
  const t = makeContext(own)
  let failure = null
  try {
    await fn(t, ...args)
    failure = t.failed()
  } catch (error) {
    failure = t.failed() ?? error
  }
  if (own.options.mustFail) {
    if (!failure)
      throw new Error('Test was expected to fail, but succeeded, you should stop marking the test as failing')
    return
  }
  if (failure) throw failure
}

function makeContext({ compare, holder, name, options, undo }) {
  let [failure, count, planned] = [null, 0, null]
  /** Kept besides being thrown: a test may catch it. */
  const fail = (error) => {
    failure ??= error
    throw error
  }
  const check =
    (act) =>
    (...given) => {
      count++
      try {
        return act(...given) ?? true
      } catch (error) {
        return fail(error)
      }
    }
  const checkLater =
    (act) =>
    (...given) => {
      count++
      return act(...given).catch(fail)
    }
  const holds = (isFine, words) => assert.ok(isFine, words)
  const t = {
    title: name,
    get context() {
      return holder.kept
    },
    set context(value) {
      holder.kept = value
    },
    log() {},
    timeout() {},
    plan: (number) => void (planned = number),
    teardown: undo,
    pass: check(() => true),
    fail: check((words) => assert.fail(words ?? 'Test failed via `t.fail()`')),
    assert: check((value, words) => holds(value, words)),
    truthy: check((value, words) => holds(value, words)),
    falsy: check((value, words) => holds(!value, words)),
    true: check((value) => assert.strictEqual(value, true)),
    false: check((value) => assert.strictEqual(value, false)),
    is: check((actual, expected) => assert.strictEqual(actual, expected)),
    not: check((actual, expected) => assert.notStrictEqual(actual, expected)),
    deepEqual: check((actual, expected) =>
      holds(compare(actual, expected).pass, `expected ${inspect(expected)}, got ${inspect(actual)}`),
    ),
    notDeepEqual: check((actual, expected) => holds(!compare(actual, expected).pass, `both are ${inspect(actual)}`)),
    like: check((actual, part) => holds(isLike(actual, part), `${inspect(actual)} is not like ${inspect(part)}`)),
    regex: check((text, pattern) => assert.match(text, pattern)),
    notRegex: check((text, pattern) => assert.doesNotMatch(text, pattern)),
    throws: check((fn, expected) => expectError(catchError(fn), expected)),
    notThrows: check((fn) => void fn()),
    throwsAsync: checkLater(async (thrower, expected) => expectError(await catchLater(thrower), expected)),
    notThrowsAsync: checkLater(async (thrower) => void (await (typeof thrower === 'function' ? thrower() : thrower))),
    failed() {
      if (failure) return failure
      if (planned !== null && planned !== count) return new Error(`Planned for ${planned} assertions, but got ${count}`)
      return count || options.isHook ? null : new Error('Test finished without running any assertions')
    },
  }
  for (const name of ['is', 'deepEqual', 'true', 'false', 'truthy', 'falsy', 'throws', 'regex'])
    t[name].skip = () => void count++
  return t
}

function isLike(actual, part) {
  if (typeof part !== 'object' || part === null) return isDeepStrictEqual(actual, part)
  if (typeof actual !== 'object' || actual === null) return false
  return Object.keys(part).every((key) => isLike(actual[key], part[key]))
}

const nothing = Symbol('nothing was thrown')

function catchError(fn) {
  try {
    fn()
  } catch (error) {
    return error
  }
  return nothing
}

async function catchLater(thrower) {
  try {
    await (typeof thrower === 'function' ? thrower() : thrower)
  } catch (error) {
    return error
  }
  return nothing
}

/** Answers the error. `expected`: what it must be, or before AVA 3 also a class, a text or a pattern. */
function expectError(error, expected) {
  assert.notStrictEqual(error, nothing, 'Function returned, and was expected to throw')
  if (!expected) return error
  if (typeof expected === 'function') assert.ok(error instanceof expected)
  else if (typeof expected === 'string' || expected instanceof RegExp) expectMessage(error, expected)
  else {
    if (expected.instanceOf) assert.ok(error instanceof expected.instanceOf, `It is no ${expected.instanceOf.name}.`)
    if ('is' in expected) assert.strictEqual(error, expected.is)
    if (expected.name !== undefined) assert.strictEqual(error.name, expected.name)
    if (expected.code !== undefined) assert.strictEqual(error.code, expected.code)
    if (expected.message !== undefined) expectMessage(error, expected.message)
  }
  return error
}

function expectMessage({ message }, expected) {
  if (expected instanceof RegExp) assert.match(message, expected)
  else if (typeof expected === 'function') assert.ok(expected(message))
  else assert.strictEqual(message, expected)
}

module.exports = { makeAva }
