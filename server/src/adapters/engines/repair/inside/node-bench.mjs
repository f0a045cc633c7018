// Takes jobs as JSON lines on stdin and answers them on stdout. The tests run in a worker thread, which is ended and
// replaced when a job takes too long.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import readline from 'node:readline'
import { Worker } from 'node:worker_threads'

const JOBS_PER_WORKER = 300
// A loop that never ends often fills an array meanwhile; then only the thread ends.
const HEAP_MB = 192
const START_MS = 60_000
const MEASURE_MS = 250
const MEASURED_NS = 50e6
const SLOWDOWN_MAX = 20
const config = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const SHOW_CONFIG_MS = 20_000
config.jest = config.runner === 'jest' ? askJest() : null
let worker = null
let isReady = false
let jobs = 0
let asked = null
let answer = null
let timer = null
let measured = { at: -Infinity, ran: 0, waited: 0, slowdown: 1 }

readline.createInterface({ input: process.stdin }).on('line', (line) => start(JSON.parse(line)))
process.stdin.on('end', () => process.exit(0))

function start(job) {
  // Every job loads modules that can't be unloaded.
  if (worker && ++jobs % JOBS_PER_WORKER === 0) endWorker()
  asked = job
  answer = { id: job.id, tests: [], imported: {}, timedOut: false, running: null }
  if (isReady) return begin()
  worker ??= startWorker()
  timer = setTimeout(() => giveUp('the thread for tests did not start', false), START_MS)
}

/** The time of a job begins when the thread that runs it is ready, and is longer where others have the cores. */
function begin() {
  const slower = slowdown()
  clearTimeout(timer)
  timer = setTimeout(() => giveUp('timed out', true), asked.totalMs * slower)
  worker.postMessage({ ...asked, testMs: Math.round(asked.testMs * slower) })
}

/** How many times as long as on an idle machine this takes: by how long its threads waited for a core; 1 where the system does not say. */
function slowdown() {
  if (performance.now() - measured.at < MEASURE_MS) return measured.slowdown
  let [ran, waited] = [0, 0]
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const [ns, waitedNs] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ').map(Number)
      ran += ns
      waited += waitedNs
    }
  } catch {
    // A thread that has just ended, or a system that does not count.
  }
  const [more, moreWaited] = [ran - measured.ran, waited - measured.waited]
  // The counts of threads that ended are gone.
  const isLess = more < 0 || moreWaited < 0
  if (!isLess && more < MEASURED_NS) return measured.slowdown
  const slower = isLess ? measured.slowdown : Math.min(1 + moreWaited / more, SLOWDOWN_MAX)
  measured = { at: performance.now(), ran, waited, slowdown: slower }
  return slower
}

/** What jest makes of the project's settings; null where it does not say, as a test that needs them will. */
function askJest() {
  try {
    const jest = createRequire(path.join(config.folder, 'package.json')).resolve('jest/bin/jest')
    const [option, file] = /(?:--config|-c)[ =](\S+)/.exec(config.command) ?? []
    const argv = [jest, '--showConfig', ...(option ? ['--config', file] : [])]
    const shown = execFileSync(process.execPath, argv, {
      cwd: config.folder,
      timeout: SHOW_CONFIG_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const { moduleNameMapper = [], setupFiles = [], setupFilesAfterEnv = [] } = JSON.parse(shown).configs[0]
    return { moduleNameMapper, setups: [...setupFiles, ...setupFilesAfterEnv] }
  } catch {
    return null
  }
}

function startWorker() {
  const one = new Worker(config.worker, {
    workerData: config,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  one.stdout.resume()
  one.stderr.resume()
  one.on('message', (message) => one === worker && hear(message))
  one.on('error', (error) => one === worker && giveUp(String(error?.message ?? error), false))
  one.on('exit', () => one === worker && giveUp('the process was ended', false))
  return one
}

function hear(message) {
  if (message.type === 'ready') {
    isReady = true
    begin()
  } else if (message.id !== answer?.id) return
  else if (message.type === 'test') answer.running = message
  else if (message.type === 'imported') answer.imported[message.file] = message.lines
  else if (message.type === 'result') answer.tests.push(message)
  else finish()
}

function giveUp(error, timedOut) {
  endWorker()
  if (!answer) return
  const { file = '', name = '' } = answer.running ?? {}
  answer.tests.push({ file, name, isPassing: false, ms: 0, error })
  answer.timedOut = timedOut
  finish()
}

function finish() {
  clearTimeout(timer)
  const { id, tests, imported, timedOut } = answer
  answer = null
  const told = tests.map(({ file, name, isPassing, ms, error, lines }) => ({ file, name, isPassing, ms, error, lines }))
  // The mark tells an answer from what a test's own child processes may write here.
  process.stdout.write(`\n@runwright ${JSON.stringify({ id, tests: told, imported, timedOut })}\n`)
}

function endWorker() {
  const ended = worker
  worker = null
  isReady = false
  void ended?.terminate()
}
