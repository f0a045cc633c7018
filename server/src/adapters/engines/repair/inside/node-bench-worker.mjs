// The thread that loads a test file and what it imports anew for each job, a candidate in place of one file, and runs
// its tests one by one.
import { createRequire, registerHooks } from 'node:module'
import inspector from 'node:inspector'
import path from 'node:path'
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { mapPath } from './jest-paths.mjs'
import { withoutTypes } from './node-types.mjs'

const { workspace, folder, runner, standIn, jest: settings } = workerData
const require = createRequire(import.meta.url)
const { bench } = require(standIn)
const prefix = workspace.endsWith('/') ? workspace : `${workspace}/`

/** Kept here, as tests stop the clock of everybody else. */
const now = performance.now.bind(performance)
/** Takes the place of the package that tests of AVA or tape are made with. */
const maker = loadMaker()
// What mocha, jest and vitest bring along, from the project's own packages. Where that does not do, a test fails here that
// passes there, and the engine takes fresh processes.
const given = runner === 'node' || maker ? null : await giveGlobals()
const givenUrl = 'runwright:given'
globalThis.__runwrightMaker = maker

function loadMaker() {
  if (runner === 'ava') return require('./ava.cjs').makeAva(require(standIn), loadConcordance())
  if (runner !== 'tape') return null
  return require('./tape.cjs').makeTape(
    createRequire(path.join(folder, 'package.json'))('tape/lib/test'),
    require(standIn),
    {
      isAsked: (name) => part.isAsked(name),
      began: (name) => part.began(name),
    },
  )
}

async function giveGlobals() {
  const { each, ...globals } = await loadGlobals()
  return bench.useGlobals(globals, each)
}

async function loadGlobals() {
  const own = createRequire(path.join(folder, 'package.json'))
  try {
    if (runner === 'jest') {
      return { expect: own('expect').expect, jest: makeJest(own), each: { bind: ownEach(own) } }
    }
    if (runner === 'vitest') {
      const vitest = realpathSync(path.dirname(own.resolve('vitest/package.json')))
      const { version } = JSON.parse(readFileSync(path.join(vitest, 'package.json'), 'utf8'))
      return { ...(await loadVitest(vitest)), each: { isQuoted: Number.parseInt(version, 10) < 5 } }
    }
  } catch {
    // A test that needs it says so.
  }
  return {}
}

/** What tests ask of `jest` that is not done while a file is loaded. */
function makeJest(own) {
  const mocker = new (own('jest-mock').ModuleMocker)(globalThis)
  const names = [
    'fn',
    'spyOn',
    'isMockFunction',
    'replaceProperty',
    'clearAllMocks',
    'resetAllMocks',
    'restoreAllMocks',
  ]
  const mocks = names
    .filter((name) => typeof mocker[name] === 'function')
    .map((name) => [name, mocker[name].bind(mocker)])
  const jest = { ...Object.fromEntries(mocks), mocked: (value) => value }
  for (const name of ['setTimeout', 'retryTimes', 'useRealTimers', 'resetModules']) jest[name] = () => jest
  return jest
}

function ownEach(own) {
  try {
    return own('jest-each').bind
  } catch {
    return undefined
  }
}

/** Older ones load only in a process of their own: then from the packages that they are made of. */
async function loadVitest(folder) {
  const load = (file) => import(pathToFileURL(path.join(folder, file)).href)
  try {
    const { expect, vi } = await load('dist/index.js')
    return { expect, vi }
  } catch {
    const chai = createRequire(path.join(folder, 'package.json'))('chai')
    const plugins = await load('../@vitest/expect/dist/index.js')
    const { fn, spyOn } = await load('../@vitest/spy/dist/index.js')
    for (const name of ['JestExtend', 'JestChaiExpect', 'JestAsymmetricMatchers']) chai.use(plugins[name])
    globalThis[plugins.GLOBAL_EXPECT] = chai.expect
    plugins.setState({ assertionCalls: 0, isExpectingAssertions: false }, chai.expect)
    return { expect: chai.expect, vi: { fn, spyOn } }
  }
}

function loadConcordance() {
  try {
    return createRequire(path.join(folder, 'node_modules/ava/package.json'))('concordance')
  } catch {
    return null
  }
}

/** They load all test files into one process. */
const sharesModules = runner === 'mocha' || runner === 'tape'

let job = null
let rejectCurrent = null
/** Gives a test its full time anew. */
let renewCurrent = null
/** Hears of the subtests of a test of tape. */
let part = null

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test') return { url: pathToFileURL(standIn).href, format: 'commonjs', shortCircuit: true }
    if (maker && specifier === runner) return { url: givenUrl, format: 'module', shortCircuit: true }
    if (given && (specifier === 'vitest' || specifier === '@jest/globals' || specifier === 'mocha')) {
      return { url: givenUrl, format: 'module', shortCircuit: true }
    }
    const resolved = resolveOnce(specifier, context, next)
    return isProjectUrl(resolved.url) ? { ...resolved, url: `${resolved.url}?job=${job.id}` } : resolved
  },
  load(url, context, next) {
    if (url === givenUrl) {
      const source = maker
        ? `const made = globalThis.__runwrightMaker\nexport { made as default, made as 'module.exports', made as test }`
        : Object.keys(given)
            .map((name) => `export const ${name} = globalThis.${name}`)
            .join('\n')
      return { format: 'module', source, shortCircuit: true }
    }
    const source = isProjectUrl(url) ? job.sources?.[fileURLToPath(url)] : undefined
    if (isTyped(url)) {
      const text = source ?? readFileSync(fileURLToPath(url), 'utf8')
      return { format: 'module', source: withoutTypes(text).source, shortCircuit: true }
    }
    const loaded = next(url, context)
    return source === undefined ? loaded : { ...loaded, source }
  },
})

process.on('uncaughtException', (error) => rejectCurrent?.(error))
process.on('unhandledRejection', (error) => rejectCurrent?.(error))
parentPort.on('message', runJob)
parentPort.postMessage({ type: 'ready' })

const session = new inspector.Session()
session.connect()
let isCovering = false

const places = new Map()

/** Files stay where they are while changes are tried, and looking for them takes as long as running most tests. */
function resolveOnce(specifier, context, next) {
  const from = context.parentURL?.split('?')[0]
  if (!/^[./]/.test(specifier) || !from) return resolveAsTheyDo(specifier, context, next)
  const key = JSON.stringify([specifier, from, context.conditions, context.importAttributes])
  const known = places.get(key)
  if (known) return { ...known, shortCircuit: true }
  const resolved = resolveAsTheyDo(specifier, context, next)
  places.set(key, resolved)
  return resolved
}

/** Bundlers also find `./cart` and, for `./cart.js`, a `cart.ts`. */
function resolveAsTheyDo(asked, context, next) {
  const specifier = mapPath(settings?.moduleNameMapper ?? [], asked)
  try {
    const resolved = next(specifier, context)
    const isJson = runner !== 'node' && resolved.url.endsWith('.json')
    return isJson ? { ...resolved, importAttributes: { type: 'json' } } : resolved
  } catch (error) {
    if (runner === 'node' || !/^[./]/.test(specifier)) throw error
    for (const end of ['.ts', '.js', '.mjs', '/index.ts', '/index.js']) {
      try {
        return next(specifier.replace(/\.[cm]?js$/, '') + end, context)
      } catch {
        // The next ending.
      }
    }
    throw error
  }
}

/** Other runners compile TypeScript; Node's own has it as Node does. */
function isTyped(url) {
  return runner !== 'node' && isProjectUrl(url) && /\.[cm]?ts(\?|$)/.test(url)
}

function isProjectUrl(url) {
  return url.startsWith('file:') && url.includes(prefix) && !url.includes('/node_modules/')
}

/** `files`: `{file, names}`, names null for all. Says `test` when one begins and `result` when it ended. */
async function runJob(given) {
  job = given
  let isPassing = true
  if (job.isCovering) startCoverage()
  for (const [at, { file, names }] of job.files.entries()) {
    if (isOver(isPassing)) break
    if (at === 0 || !sharesModules) forgetModules()
    isPassing = (await runFile(file, names)) && isPassing
  }
  parentPort.postMessage({ type: 'done', id: job.id })
}

/** What a candidate hangs in says enough of it. */
function isOver(isPassing) {
  return (job.stopsAt === 'failure' && !isPassing) || (job.stopsAt !== 'end' && job.hasHung)
}

/** Those of packages stay. What is imported is told apart by the job. */
function forgetModules() {
  for (const key of Object.keys(require.cache)) {
    if (key.startsWith(prefix) && !key.includes('/node_modules/')) delete require.cache[key]
  }
}

async function runFile(file, names) {
  const root = bench.begin()
  maker?.begin()
  post({ type: 'test', file, name: '' })
  let failure = null
  try {
    for (const one of [...(settings?.setups ?? []), file]) await import(`${pathToFileURL(one).href}?job=${job.id}`)
    await Promise.all(root.pending)
  } catch (error) {
    failure = describeError(error)
  }
  if (job.isCovering) post({ type: 'imported', file, lines: takeLines() })
  if (failure !== null) {
    post({ type: 'result', file, name: '', isPassing: false, ms: 0, error: failure })
    return false
  }
  let isPassing = true
  for (const test of root.all) {
    const name = [...bench.chain(test.suite).map((suite) => suite.name), test.name].slice(1).join(' > ')
    const isAsked = !names || names.includes(name) || (runner === 'tape' && names.some((one) => isPartOf(one, name)))
    if (bench.isSkipped(test) || !isAsked) continue
    isPassing = (await runOne(file, name, test, names)) && isPassing
    if (isOver(isPassing)) break
  }
  try {
    await bench.runAfterHooks(guard)
  } catch (error) {
    post({ type: 'result', file, name: '', isPassing: false, ms: 0, error: describeError(error) })
    return false
  }
  return isPassing
}

function isPartOf(name, whole) {
  return name.startsWith(`${whole} > `)
}

/** A test that is only run for its subtests is not told of. */
async function runOne(file, name, test, names) {
  const isAsked = !names || names.includes(name)
  const tell = (one, began, error, lines) => {
    job.hasHung ||= /timed out/.test(error)
    post({ type: 'result', file, name: one, isPassing: error === null, ms: now() - began, error, lines })
  }
  const parts = (part = watchParts(file, names, tell))
  if (isAsked) post({ type: 'test', file, name })
  const began = now()
  let error = null
  try {
    await bench.runTest(test, guard)
  } catch (thrown) {
    error = describeError(thrown)
  }
  parts.ended(new Error(error ?? 'It did not end.'))
  if (isAsked) tell(name, began, error, job.isCovering ? joinLines(parts.outside, takeLines()) : undefined)
  return error === null && !parts.hasFailed
}

/** What runs outside of subtests counts for each of them, too: it makes what they look at. */
function watchParts(file, names, tell) {
  const parts = { outside: {}, hasFailed: false, open: null, isAsked: (name) => !names || names.includes(name) }
  parts.ended = (failure) => {
    if (!parts.open) return
    const { name, began } = parts.open
    const lines = job.isCovering ? joinLines(parts.outside, takeLines()) : undefined
    const error = failure ? describeError(failure) : null
    parts.hasFailed ||= error !== null
    tell(name, began, error, lines)
    parts.open = null
  }
  parts.began = (name) => {
    post({ type: 'test', file, name })
    if (job.isCovering) parts.outside = joinLines(parts.outside, takeLines())
    parts.open = { name, began: now() }
    renewCurrent?.()
    return parts.ended
  }
  return parts
}

function joinLines(one, other) {
  const joined = { ...one }
  for (const [file, lines] of Object.entries(other)) joined[file] = [...new Set([...(joined[file] ?? []), ...lines])]
  return joined
}

/** Calls under the job's time limit for one test. A loop that never ends is broken by the engine, a promise by a timer. */
async function guard(act) {
  globalThis.__runwrightAct = act
  const began = vm.runInThisContext('globalThis.__runwrightAct()', { timeout: job.testMs })
  if (typeof began?.then !== 'function') return
  await new Promise((resolve, reject) => {
    let timer = null
    renewCurrent = () => {
      clearTimeout(timer)
      timer = setTimeout(() => reject(new Error(`timed out after ${job.testMs} ms`)), job.testMs)
    }
    renewCurrent()
    rejectCurrent = reject
    Promise.resolve(began)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
  rejectCurrent = renewCurrent = null
}

function startCoverage() {
  if (isCovering) return
  isCovering = true
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** The lines of the project's files that ran since it was last asked. */
function takeLines() {
  const lines = {}
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    for (const script of coverage.result) {
      if (!isProjectUrl(script.url)) continue
      const file = fileURLToPath(script.url)
      const ran = linesOf(file, script)
      if (ran.length) lines[path.relative(workspace, file)] = ran
    }
  })
  return lines
}

function linesOf(file, { url, functions }) {
  const text = job.sources?.[file] ?? readFileSync(file, 'utf8')
  const { source, lineOf } = isTyped(url) ? withoutTypes(text) : { source: text, lineOf: (line) => line }
  const counts = new Uint8Array(source.length)
  const ranges = functions
    .flatMap((one) => one.ranges)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const range of ranges) counts.fill(range.count > 0 ? 1 : 0, range.startOffset, range.endOffset)
  const ran = new Set()
  let line = 1
  let hasRun = false
  for (let offset = 0; offset <= source.length; offset++) {
    if (offset === source.length || source[offset] === '\n') {
      if (hasRun) ran.add(lineOf(line))
      line++
      hasRun = false
    } else if (counts[offset] && !/\s|[{}();]/.test(source[offset])) hasRun = true
  }
  return [...ran]
}

/** What a long message leaves no room for is where it was. */
function describeError(error) {
  const text = (error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/\?job=\d+/g, '')
  const calls = text.search(/\n {4}at /)
  return calls > 1_200 ? `${text.slice(0, 1_200)}\n…${text.slice(calls, calls + 800)}` : text.slice(0, 2_000)
}

function post(message) {
  parentPort.postMessage({ ...message, id: job.id, file: path.relative(workspace, message.file) })
}
