// Preloaded where tape runs the tests: one JSON line for each test that ended, in a file of this process.
import { appendFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { getCallSites } from 'node:util'
import tapeTools from './tape.cjs'

const { makeNames, partName, readArguments, watch } = tapeTools
const require = createRequire(import.meta.url)
const here = fileURLToPath(import.meta.url)
const TEXT_MAX = 2000
const FRAMES = 50
const OURS = 'runwright-tape:'
// This runs in the project's process, not in ours.
// oxlint-disable-next-line node/no-process-env
const report = path.join(process.env.RUNWRIGHT_REPORTS, `${process.pid}-${Date.now()}.jsonl`)
/** Kept here, as tests stop the clock of everybody else. */
const now = performance.now.bind(performance)
/** What to tell of the tests that have begun and not ended. */
const open = new Set()
let uncaught = null
const names = new Map()

process.on('uncaughtExceptionMonitor', (error) => (uncaught = error))
process.on('exit', () => {
  for (const tell of open) tell(uncaught ?? new Error('It did not end.'))
})

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const isTheirs = context.parentURL?.startsWith('file:') && !context.parentURL.includes('/node_modules/')
    if (specifier !== 'tape' || !isTheirs) return resolved
    return { url: `${OURS}${resolved.url}`, format: 'module', shortCircuit: true }
  },
  load(url, context, next) {
    if (!url.startsWith(OURS)) return next(url, context)
    const source = `const tape = globalThis[Symbol.for('${OURS}')]
export { tape as default, tape as 'module.exports', tape as test }`
    globalThis[Symbol.for(OURS)] ??= wrap(require(fileURLToPath(url.slice(OURS.length))))
    return { format: 'module', source, shortCircuit: true }
  },
})

function wrap(tape) {
  const add = (act, given) => {
    const { name, options, fn } = readArguments(given)
    const file = callingFile()
    if (!names.has(file)) names.set(file, makeNames())
    const own = names.get(file)(name)
    const test = act(...given)
    if (fn && !options.skip && !options.todo) hear(test, { file, name: own })
    return test
  }
  const proxy = new Proxy(tape, {
    apply: (_target, _self, given) => add(tape, given),
    get: (target, key) => {
      if (key === 'test') return proxy
      return key === 'only' ? (...given) => add(target.only, given) : target[key]
    },
  })
  return proxy
}

/** Files of one folder share what they require, so that only the call itself says which one it is. */
function callingFile() {
  const paths = getCallSites(FRAMES).map(({ scriptName }) =>
    scriptName.startsWith('file:') ? fileURLToPath(scriptName) : scriptName,
  )
  return paths.find((one) => path.isAbsolute(one) && one !== here && !one.includes('/node_modules/')) ?? null
}

function hear(test, { file, name }) {
  const begin = (one, failed) => {
    const began = now()
    const atExit = (otherwise) => tell(failed() ?? otherwise)
    const tell = (error) => {
      open.delete(atExit)
      const ms = now() - began
      const told = { file, names: [one], isSuite: false, isSkipped: false, isPassing: !error, ms }
      const text = error ? String(error.stack ?? error).slice(0, TEXT_MAX) : null
      appendFileSync(report, `${JSON.stringify({ ...told, error: text })}\n`)
    }
    open.add(atExit)
    return tell
  }
  let ended
  test.once('prerun', () => (ended = begin(name, failed)))
  const failed = watch(
    test,
    (failure) => ended?.(failure),
    (part, partFailed) => begin(partName(name, part), partFailed),
  )
}
