// Tests of tape: what becomes of one, in its own process and inside the bench.
'use strict'
const { inspect } = require('node:util')

/** Calls `ended` once with the first failure of a test and its subtests, null for none. Answers what says it before. */
function watch(test, ended) {
  let failure = null
  const hear = (one) => {
    // A comment is a result, too, as plain text.
    one.on('result', (result) => {
      if (typeof result !== 'string' && !result.ok && !result.todo) failure ??= errorOf(result)
    })
    one.on('test', hear)
  }
  hear(test)
  test.once('end', () => ended(failure))
  return () => failure
}

function errorOf({ name, operator, expected, actual, error }) {
  const words = `${name} (${operator}): expected ${inspect(expected)}, got ${inspect(actual)}`
  const stack = error instanceof Error ? String(error.stack).replace(/^.*/, '') : ''
  return Object.assign(new Error(words), { stack: `Error: ${words}${stack}` })
}

/** Tape takes a name, options and a function in any order, and each may be left out. */
function readArguments(given) {
  const of = (kind) => given.find((one) => typeof one === kind && one !== null)
  return { name: of('string') ?? '(anonymous)', options: of('object') ?? {}, fn: of('function') }
}

/** Names as they are, and a number with those that come again in a file. */
function makeNames() {
  const counts = new Map()
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  }
}

/** Stands in for tape inside the bench: `collect` takes tests as node:test does. */
function makeTape(Test, collect) {
  let nameOf = makeNames()
  const add = (given, more) => {
    const { name, options, fn } = readArguments(given)
    const run = () =>
      new Promise((resolve, reject) => {
        const test = new Test(name, options, fn)
        watch(test, (failure) => (failure ? reject(failure) : resolve()))
        test.run()
      })
    collect(nameOf(name), { ...options, ...more }, fn && run)
  }
  const tape = (...given) => add(given, {})
  return Object.assign(tape, {
    test: tape,
    only: tape,
    skip: (...given) => add(given, { skip: true }),
    onFinish() {},
    onFailure() {},
    begin: () => void (nameOf = makeNames()),
  })
}

module.exports = { makeNames, makeTape, readArguments, watch }
