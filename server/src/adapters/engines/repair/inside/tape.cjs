// Tests of tape: what becomes of one, in its own process and inside the bench.
'use strict'
const { inspect } = require('node:util')

/** Calls `fail` with what a test says is wrong. */
function hear(test, fail) {
  // A comment is a result, too, as plain text.
  test.on('result', (result) => {
    if (typeof result !== 'string' && !result.ok && !result.todo) fail(errorOf(result))
  })
}

function hearAll(test, fail) {
  hear(test, fail)
  test.on('test', (inner) => hearAll(inner, fail))
}

/**
 * Calls `ended` once with the first failure that a test itself tells of, null for none. Its subtests are tests of their own, with what is
 * in them: `began(name, failed)` answers what is called with the failure of each. Answers, and `failed` is, what says it before the end.
 */
function watch(test, ended, began) {
  let failure = null
  const nameOf = makeNames()
  hear(test, (error) => (failure ??= error))
  test.on('test', (part) => {
    const name = nameOf(part.name)
    let own = null
    hearAll(part, (error) => (own ??= error))
    if (part._skip || part._todo || !part._cb) return
    let partEnded
    part.once('prerun', () => (partEnded = began(name, () => own)))
    part.once('end', () => partEnded?.(own))
  })
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

/** As tests of a suite are named. */
function partName(name, part) {
  return `${name} > ${part}`
}

/** Of the subtests of a test only those that are asked for. */
function leaveOut(test, isAsked) {
  const nameOf = makeNames()
  const { test: addPart } = test
  test.test = (...given) => {
    const { name, options, fn } = readArguments(given)
    return isAsked(nameOf(name)) ? addPart(name, options, fn) : addPart(name, { ...options, skip: true }, fn)
  }
}

/**
 * Stands in for tape inside the bench: `collect` takes tests as node:test does. `parts` says which subtests are asked for, and hears of
 * them as `watch` tells of them, by their whole names.
 */
function makeTape(Test, collect, parts) {
  let nameOf = makeNames()
  const add = (given, more) => {
    const { name, options, fn } = readArguments(given)
    const own = nameOf(name)
    const run = () =>
      new Promise((resolve, reject) => {
        const test = new Test(name, options, fn)
        leaveOut(test, (part) => parts.isAsked(partName(own, part)))
        const ended = (failure) => (failure ? reject(failure) : resolve())
        watch(test, ended, (part) => parts.began(partName(own, part)))
        test.run()
      })
    collect(own, { ...options, ...more }, fn && run)
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

module.exports = { makeNames, makeTape, partName, readArguments, watch }
