/**
 * Runs inside a sandbox, with no more rights than the commands it starts, and does what the service asks: runs
 * commands, reads files, writes files. One file of plain JavaScript without imports of ours: it is the only file of
 * ours that a sandbox sees.
 *
 * Requests come on stdin and answers go to stdout, or both over a socket, as frames: length of the payload (uint32,
 * little-endian), kind (uint8), number of the job (uint32), payload. A command, a file to read and a file to write are jobs alike: bytes
 * flow in and out of them under credit, and one `end` closes them. `exec-frames.ts` is the other side.
 *
 * Started with a token it shares its process table with strangers, and takes only what carries the token for its own.
 * Without one, every process that it can see is in its care.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const kinds = {
  start: 1,
  input: 2,
  inputEnd: 3,
  credit: 4,
  kill: 5,
  ready: 10,
  stdout: 11,
  stderr: 12,
  accepted: 13,
  end: 14,
}
const HEADER_BYTES = 9
/** Bytes of one job under way to the service before it gives new credit. */
const WINDOW_BYTES = 512 * 1024
/** Input is reported as taken in portions of this size, so that small messages cost no answer. */
const ACCEPTED_BYTES = 128 * 1024
/** From the polite signal at the time limit to the one that nobody survives. */
const TERM_MS = 500
/** For what ends by itself right after its command, such as the `tee` of `> >(tee log)`. */
const LINGER_MS = 300
/** A pipe that is still open when the whole tree is dead is held by somebody else's process. */
const PIPE_HELD_MS = 1_000
/** Ways up through parents; more than a sandbox has processes. */
const DEPTH_MAX = 10_000
/** How much sooner than this agent the kernel takes a command when memory runs out. */
const OOM_SCORE = '500'

/** As `bubblewrap-arguments.ts` has them. */
const serviceSocket = '/run/runwright/agent.sock'
const networkSocket = '/run/runwright/network.sock'
const networkPort = 3128
const WAYS_MAX = 1_000

// oxlint-disable-next-line node/no-process-env -- it is the sandbox's clean environment, and nothing of the service
const environment = process.env
// Bait can still be seen in /proc by who looks there, and is handed on to no command.
for (const name of (environment.RUNWRIGHT_BAIT ?? '').split(',')) delete environment[name]
delete environment.RUNWRIGHT_BAIT

const token = process.argv[2]
const isAlone = token === undefined
// Whoever cannot give it pipes, as a cluster starts it, listens for it.
const service = fs.existsSync(serviceSocket) ? net.connect(serviceSocket) : null
const input = service ?? new net.Socket({ fd: 0, readable: true, writable: false })
const output = service ?? new net.Socket({ fd: 1, readable: false, writable: true })
const jobs = new Map()
/** Whoever asked is gone; what is killed now did not end by itself. */
let isLeaving = false

function send(kind, id, payload = Buffer.alloc(0)) {
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeUInt32LE(payload.length, 0)
  header.writeUInt8(kind, 4)
  header.writeUInt32LE(id, 5)
  output.cork()
  output.write(header)
  if (payload.length > 0) output.write(payload)
  output.uncork()
}

function sendEnd(id, message) {
  jobs.delete(id)
  if (!isLeaving) send(kinds.end, id, Buffer.from(JSON.stringify(message)))
}

const codeOf = (error) => String(error?.code ?? 'EIO')
const failure = (code) => Object.assign(new Error(code), { code })

// Flow

/** Sends all that comes out of `stream`, as fast as the service gives credit. */
async function forward(job, kind, stream, bytesMax = Infinity) {
  let total = 0
  for await (const chunk of stream) {
    total += chunk.length
    if (total > bytesMax) throw failure('EFBIG')
    send(kind, job.id, chunk)
    job.credit -= chunk.length
    while (job.credit <= 0) await new Promise((resolve) => job.waiting.push(resolve))
  }
}

function addCredit(job, bytes) {
  job.credit += bytes
  if (job.credit > 0) for (const wake of job.waiting.splice(0)) wake()
}

function takeInput(job, chunk) {
  job.input?.write(chunk, () => {
    job.accepted += chunk.length
    if (job.accepted < ACCEPTED_BYTES) return
    const payload = Buffer.alloc(4)
    payload.writeUInt32LE(job.accepted)
    job.accepted = 0
    send(kinds.accepted, job.id, payload)
  })
}

function addJob(id, more) {
  const job = { id, credit: WINDOW_BYTES, waiting: [], input: null, accepted: 0, ...more }
  jobs.set(id, job)
  return job
}

// Files

async function readFile(id, { path: file, bytesMax }) {
  try {
    // Without O_NONBLOCK a FIFO would hold the thread until somebody writes.
    const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY)
    const stat = fs.fstatSync(fd)
    const fault = stat.isDirectory() ? 'EISDIR' : !stat.isFile() ? 'EINVAL' : stat.size > bytesMax ? 'EFBIG' : null
    if (fault) {
      fs.closeSync(fd)
      throw failure(fault)
    }
    await forward(addJob(id), kinds.stdout, fs.createReadStream('', { fd, highWaterMark: ACCEPTED_BYTES }), bytesMax)
    sendEnd(id, {})
  } catch (error) {
    sendEnd(id, { error: codeOf(error) })
  }
}

function writeFile(id, { path: file, mode }) {
  try {
    const fd = openForWriting(file, mode)
    const stream = fs.createWriteStream('', { fd })
    let fault = null
    stream.on('error', (error) => (fault = codeOf(error)))
    stream.on('close', () => sendEnd(id, fault ? { error: fault } : {}))
    addJob(id, { input: stream })
  } catch (error) {
    sendEnd(id, { error: codeOf(error) })
  }
}

function openForWriting(file, mode) {
  const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NONBLOCK } = fs.constants
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true })
  } catch (error) {
    throw error.code === 'EEXIST' ? failure('ENOTDIR') : error
  }
  try {
    const fd = fs.openSync(file, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    if (mode !== undefined) fs.fchmodSync(fd, mode)
    return fd
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const fd = fs.openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0o644)
  if (fs.fstatSync(fd).isFile()) return fd
  fs.closeSync(fd)
  throw failure('EINVAL')
}

// Commands

function startCommand(id, request) {
  const mark = `${token ?? 'command'}-${id}`
  let child
  try {
    child = spawn(request.argv[0], request.argv.slice(1), {
      cwd: request.cwd,
      env: { ...environment, ...request.env, RUNWRIGHT_COMMAND: mark },
      // A session of its own, by which its processes are known.
      detached: true,
      stdio: [request.hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    return sendEnd(id, { exitCode: 127, reason: 'exited', error: codeOf(error) })
  }
  child.on('error', (error) => {
    if (child.pid === undefined) sendEnd(id, { exitCode: 127, reason: 'exited', error: codeOf(error) })
  })
  if (child.pid === undefined) return
  watchCommand(child, addJob(id, { input: child.stdin, root: child.pid, mark, reason: 'exited' }), request.timeoutMs)
}

function watchCommand(child, job, timeoutMs) {
  job.startTime = statOf(job.root)?.startTime ?? 0
  try {
    fs.writeFileSync(`/proc/${job.root}/oom_score_adj`, OOM_SCORE)
  } catch {
    // It has ended already, or this is no Linux.
  }
  child.stdin?.on('error', () => {})
  const flows = [forward(job, kinds.stdout, child.stdout), forward(job, kinds.stderr, child.stderr)]
  const flowed = Promise.allSettled(flows)

  const limit = setTimeout(() => endCommand(job, 'timeout'), timeoutMs)
  let linger
  child.on('exit', () => {
    job.hasExited = true
    clearTimeout(limit)
    linger = setTimeout(() => void closePipes(child, job), LINGER_MS)
  })
  child.on('close', async (code) => {
    clearTimeout(linger)
    await killTree(job)
    await flowed
    sendEnd(job.id, { exitCode: code, reason: job.reason })
  })
}

/** The command is gone and its output is still open: whoever holds it ends now. */
async function closePipes(child, job) {
  await killTree(job)
  let seen
  while (jobs.has(job.id) && (job.credit <= 0 || seen !== job.credit)) {
    seen = job.credit
    await delay(PIPE_HELD_MS)
  }
  child.stdout.destroy()
  child.stderr.destroy()
}

async function endCommand(job, reason) {
  if (!job.hasExited) job.reason = reason
  if (reason === 'timeout') {
    signalAll(processesOf(job), 'SIGTERM')
    await delay(TERM_MS)
  }
  if (jobs.has(job.id)) await killTree(job)
}

// Process trees

/** Stops all before it kills any: of a fork bomb that is killed one by one, the others fill the gaps at once. */
async function killTree(job) {
  const stopped = new Set()
  for (;;) {
    const fresh = processesOf(job).filter((pid) => !stopped.has(pid))
    if (fresh.length === 0) break
    signalAll(fresh, 'SIGSTOP')
    for (const pid of fresh) stopped.add(pid)
  }
  if (stopped.size === 0) return
  for (let left = [...stopped]; left.length > 0; left = processesOf(job)) {
    signalAll(left, 'SIGKILL')
    await delay(1)
  }
}

function signalAll(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended meanwhile.
    }
  }
}

function processesOf(job) {
  const table = processTable()
  if (!table) return isGroupAlive(job.root) ? [-job.root] : []
  const roots = new Map()
  for (const other of jobs.values()) if (other.root) roots.set(other.root, other)
  return [...table.keys()].filter((pid) => isOwnedBy(job, pid, table, roots))
}

/** Of a command are its session, what descends from it, and orphans that came up in its time and bear no other's mark. */
function isOwnedBy(job, pid, table, roots) {
  for (let at = pid, depth = 0; table.has(at) && depth < DEPTH_MAX; at = table.get(at).parent, depth++) {
    const owner = roots.get(at) ?? roots.get(table.get(at).session)
    if (owner) return owner === job
  }
  if (table.get(pid).startTime < job.startTime) return false
  const mark = markOf(pid)
  for (const other of jobs.values()) if (other.mark && other.mark === mark) return other === job
  return isAlone
}

function processTable() {
  let names
  try {
    names = fs.readdirSync('/proc')
  } catch {
    return null
  }
  const table = new Map()
  for (const name of names) {
    const pid = Number(name)
    if (!(pid > 1) || pid === process.pid) continue
    const stat = statOf(pid)
    if (stat && stat.state !== 'Z' && stat.state !== 'X') table.set(pid, stat)
  }
  return table
}

function statOf(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may itself hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], parent: Number(fields[1]), session: Number(fields[3]), startTime: Number(fields[19]) }
  } catch {
    return null
  }
}

function markOf(pid) {
  try {
    return /(?:^|\0)RUNWRIGHT_COMMAND=([^\0]*)/.exec(fs.readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1]
  } catch {
    return undefined
  }
}

function isGroupAlive(root) {
  try {
    return process.kill(-root, 0)
  } catch {
    return false
  }
}

// Requests

const starters = { exec: startCommand, read: readFile, write: writeFile }

function handle(kind, id, payload) {
  const job = jobs.get(id)
  if (kind === kinds.start) {
    const request = JSON.parse(payload.toString())
    void starters[request.type](id, request)
  } else if (!job) {
    // It has ended, and what was sent to it crossed with the news.
  } else if (kind === kinds.input) takeInput(job, payload)
  else if (kind === kinds.inputEnd) job.input?.end()
  else if (kind === kinds.credit) addCredit(job, payload.readUInt32LE(0))
  else if (kind === kinds.kill && job.root) void endCommand(job, 'killed')
}

let rest = Buffer.alloc(0)
input.on('data', (chunk) => {
  rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
  while (rest.length >= HEADER_BYTES) {
    const frameBytes = HEADER_BYTES + rest.readUInt32LE(0)
    if (rest.length < frameBytes) break
    const frame = rest
    rest = rest.subarray(frameBytes)
    handle(frame.readUInt8(4), frame.readUInt32LE(5), frame.subarray(HEADER_BYTES, frameBytes))
  }
})

/** The service is gone. In a sandbox the kernel ends the rest with this process; elsewhere nobody else would. */
async function finish() {
  isLeaving = true
  if (!isAlone) await Promise.all([...jobs.values()].filter((job) => job.root).map(killTree))
  process.exit(0)
}
for (const event of ['end', 'close', 'error']) input.on(event, finish)
for (const event of ['close', 'error']) output.on(event, finish)
process.on('SIGTERM', finish)
for (const signal of ['SIGINT', 'SIGHUP', 'SIGPIPE']) process.on(signal, () => {})

// Network

/** The only way out: what connects to the port inside is carried to the service's socket, if there is one. */
async function openWayOut() {
  if (!fs.existsSync(networkSocket)) return
  const server = net.createServer({ allowHalfOpen: true }, (inner) => {
    const outer = net.connect({ path: networkSocket, allowHalfOpen: true })
    inner.on('error', () => outer.destroy()).on('close', () => outer.destroy())
    outer.on('error', () => inner.destroy()).on('close', () => inner.destroy())
    inner.pipe(outer).pipe(inner)
  })
  // More than the service takes; each needs two of this process's descriptors.
  server.maxConnections = WAYS_MAX
  await new Promise((resolve, reject) => server.on('error', reject).listen(networkPort, '127.0.0.1', resolve))
}

await openWayOut()
send(kinds.ready, 0)
