// Stands in for AVA inside the bench. Snapshots it does not know: tests that need them fail here, and differ from AVA's own.
'use strict'
const assert = require('node:assert')
const { inspect, isDeepStrictEqual } = require('node:util')

/** What AVA compares by; replaced by the project's own, which it brings along. */
let compare = (actual, expected) => ({ pass: isDeepStrictEqual(actual, expected) })

/** `collect` takes tests and hooks as node:test does; `concordance` is the package that AVA compares values with. */
function makeAva(collect, concordance) {
  compare = concordance?.compare ?? compare
  let shared = {}

  const add = (given, options) => {
    const [title, implementation, ...rest] =
      typeof given[0] === 'function' || given[0]?.exec ? [undefined, ...given] : given
    const { exec, title: titleOf } =
      typeof implementation === 'function'
        ? { exec: implementation, title: implementation.title }
        : (implementation ?? {})
    const name = String(titleOf ? titleOf(title, ...rest) : title)
    const run = (context) => runTest(exec, rest, contextOf(context, name, options))
    collect(name.trim().replace(/\s+/g, ' '), options, exec && run)
  }
  const ava = (...given) => add(given, {})

  /** Hooks and the test share what they keep in `t.context`; what a hook before all tests kept is there, too. */
  const contextOf = (context, name, options = {}) => {
    context.kept ??= { ...shared }
    return { name, options, kept: context.kept, undo: (fn) => context.after(fn) }
  }

  const each = (kind) => {
    const hook = (...given) => {
      const fn = given.find((one) => typeof one === 'function')
      collect[kind]((context) => runTest(fn, [], contextOf(context, 'hook', { isHook: true })))
    }
    return Object.assign(hook, { always: hook, skip() {} })
  }
  const once = (kind) => {
    const hook = (...given) => {
      const fn = given.find((one) => typeof one === 'function')
      const own = { name: 'hook', options: { isHook: true }, undo() {} }
      collect[kind](() =>
        runTest(fn, [], {
          ...own,
          get kept() {
            return shared
          },
          set kept(value) {
            shared = value
          },
        }),
      )
    }
    return Object.assign(hook, { always: hook, skip() {} })
  }

  return Object.assign(ava, {
    serial: ava,
    only: ava,
    skip: (...given) => add(given, { skip: true }),
    todo() {},
    failing: (...given) => add(given, { mustFail: true }),
    macro: (macro) => (typeof macro === 'function' ? { exec: macro } : macro),
    before: once('before'),
    after: once('after'),
    beforeEach: each('beforeEach'),
    afterEach: each('afterEach'),
    meta: { file: '', snapshotDirectory: '' },
    begin: () => void (shared = {}),
  })
}

async function runTest(fn, args, own) {
  const t = makeContext(own)
  let failure = null
  try {
    await (fn.length > args.length + 1 ? undefined : fn(t, ...args))
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

function makeContext(own) {
  let [failure, count, planned] = [null, 0, null]
  /** Kept besides being thrown: a test may catch it. */
  const check =
    (act) =>
    (...given) => {
      count++
      try {
        return act(...given) ?? true
      } catch (error) {
        failure ??= error
        throw error
      }
    }
  const checkLater =
    (act) =>
    async (...given) => {
      count++
      try {
        return await act(...given)
      } catch (error) {
        failure ??= error
        throw error
      }
    }
  const holds = (isFine, words) => assert.ok(isFine, words)
  const t = {
    title: own.name,
    get context() {
      return own.kept
    },
    set context(value) {
      own.kept = value
    },
    log() {},
    timeout() {},
    plan: (number) => void (planned = number),
    teardown: (fn) => own.undo(fn),
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
      return count || own.options.isHook ? null : new Error('Test finished without running any assertions')
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
