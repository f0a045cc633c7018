// Takes jobs as JSON lines on stdin and answers them on stdout. The tests run in a worker thread, which is ended and
// replaced when a job takes too long.
import { readFileSync } from 'node:fs'
import readline from 'node:readline'
import { Worker } from 'node:worker_threads'

const JOBS_PER_WORKER = 300
// A loop that never ends often fills an array meanwhile; then only the thread ends.
const HEAP_MB = 192
const config = JSON.parse(readFileSync(process.argv[2], 'utf8'))
let worker = null
let jobs = 0
let answer = null
let timer = null

readline.createInterface({ input: process.stdin }).on('line', (line) => start(JSON.parse(line)))
process.stdin.on('end', () => process.exit(0))

function start(job) {
  // Every job loads modules that can't be unloaded.
  if (worker && ++jobs % JOBS_PER_WORKER === 0) endWorker()
  worker ??= startWorker()
  answer = { id: job.id, tests: [], imported: {}, timedOut: false, running: null }
  timer = setTimeout(() => giveUp('timed out', true), job.totalMs)
  worker.postMessage(job)
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
  one.on('message', (message) => one === worker && message.id === answer?.id && hear(message))
  one.on('error', (error) => one === worker && giveUp(String(error?.message ?? error), false))
  one.on('exit', () => one === worker && giveUp('the process was ended', false))
  return one
}

function hear(message) {
  if (message.type === 'test') answer.running = message
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
  void ended?.terminate()
}
