import type { JsonObject } from '#base/json.ts'
import { KeptOutput } from '#base/text/kept-output.ts'
import { limits } from '#base/limits.ts'
import { errorCodeOf, type ExecChannel, type Job } from './exec-channel.ts'
import { explainRefusal } from './explain-refusal.ts'
import type { Exec, ExecRequest, ExecResult, SandboxLimits } from './sandbox.ts'

/** How long the agent has to end a command after its time limit or a kill; then the whole sandbox goes. */
const AGENT_GRACE_MS = 7_000
/** A report that already waits in our socket is read in this time, also when our own loop was held up. */
const LAST_LOOK_MS = 1_000
/** Where a command's last words are looked for. */
const REFUSAL_BYTES = 16 * 1024

export type CommandSurroundings = {
  channel: ExecChannel
  /** Where a command starts that names no folder. */
  workspace: string
  /** Null: nobody holds them. */
  limits: SandboxLimits | null
  /** Processes of the sandbox that the kernel has killed for want of memory, so far. */
  outOfMemoryKills: () => number
  /** Ends the sandbox because its agent does not keep the time. */
  onUnresponsive: () => void
}

/** Starts a command in a sandbox. Throws when the request names no command, or two. */
export function runCommand(request: ExecRequest, surroundings: CommandSurroundings): Exec {
  const { channel, workspace, limits: sandboxLimits, outOfMemoryKills, onUnresponsive } = surroundings
  const argv = argvOf(request)
  const kept = keepOutput(request.outputBytesMax ?? limits.commandOutputBytesMax)
  const { promise: result, resolve } = Promise.withResolvers<ExecResult>()
  const startedAt = performance.now()
  const filters = request.openFilter && { stdout: request.openFilter(), stderr: request.openFilter() }
  const take = (stream: 'stdout' | 'stderr', piece: Uint8Array) => {
    if (piece.length === 0) return
    kept.append(stream, piece)
    request.onOutput?.(stream, piece)
  }
  const finish = (exitCode: number | null, reason: ExecResult['reason']) =>
    resolve({ exitCode, reason, ...kept.take(), durationMs: Math.round(performance.now() - startedAt) })

  if (request.signal?.aborted) {
    finish(null, 'killed')
    return { result, write: () => {}, kill: () => {} }
  }

  const killsBefore = outOfMemoryKills()
  const job = channel.start(
    {
      type: 'exec',
      argv,
      cwd: request.cwd ?? workspace,
      env: request.env ?? {},
      hasInput: request.interactive === true || request.stdin !== undefined,
      timeoutMs: request.timeoutMs,
    },
    {
      onOutput: (stream, chunk) => take(stream, filters ? filters[stream].write(chunk) : chunk),
      onEnd: (message) => {
        if (filters) for (const stream of ['stdout', 'stderr'] as const) take(stream, filters[stream].end())
        watchdog.stop()
        request.signal?.removeEventListener('abort', kill)
        if (!message) return finish(null, 'sandbox_lost')
        if (message.error !== undefined) kept.append('stderr', Buffer.from(whyNotStarted(argv, message)))
        const exitCode = typeof message.exitCode === 'number' ? message.exitCode : null
        const reason = reasonOf(message)
        const isStarved = reason === 'exited' && exitCode !== 0 && outOfMemoryKills() > killsBefore
        const isRefusal = exitCode !== 0 && reason === 'exited'
        const explanation = isRefusal ? explainRefusal(kept.peekEnd(), { limits: sandboxLimits, isStarved }) : ''
        if (explanation) take('stderr', Buffer.from(explanation))
        finish(exitCode, isStarved ? 'out_of_memory' : reason)
      },
    },
  )
  const watchdog = startWatchdog(request.timeoutMs + AGENT_GRACE_MS, onUnresponsive)
  const kill = () => {
    job.kill()
    watchdog.shorten(AGENT_GRACE_MS)
  }
  request.signal?.addEventListener('abort', kill)
  giveInput(job, request)
  const peek = () => filters?.stdout.peek?.() ?? new Uint8Array()
  return { result, peek, write: (data) => job.write(bytesOf(data)), kill }
}

function argvOf({ argv, shell, secrets = [] }: ExecRequest): string[] {
  if (secrets.length > 0) throw new TypeError('a sandbox knows no secrets by name')
  if ((argv === undefined) === (shell === undefined)) throw new TypeError('a command needs either argv or shell')
  if (argv?.length === 0) throw new TypeError('argv is empty')
  return argv ?? ['bash', '-c', shell!]
}

function giveInput(job: Job, { stdin, interactive }: ExecRequest): void {
  if (stdin !== undefined) job.write(bytesOf(stdin))
  if (!interactive) job.endInput()
}

const bytesOf = (data: string | Uint8Array): Uint8Array => (typeof data === 'string' ? Buffer.from(data) : data)

function keepOutput(bytesMax: number) {
  const streams = { stdout: new KeptOutput(bytesMax), stderr: new KeptOutput(bytesMax) }
  // Of commands that write both at the same moment only the order within each stream is certain: two pipes.
  const merged = new KeptOutput(bytesMax)
  return {
    append(stream: 'stdout' | 'stderr', chunk: Uint8Array) {
      streams[stream].append(chunk)
      merged.append(chunk)
    },
    /** The last of both streams. */
    peekEnd: () => merged.take().subarray(-REFUSAL_BYTES).toString('latin1'),
    take: () => ({
      stdout: streams.stdout.take(),
      stderr: streams.stderr.take(),
      output: merged.take(),
      cutBytes: streams.stdout.cutBytes + streams.stderr.cutBytes,
    }),
  }
}

const reasonOf = ({ reason }: JsonObject) => (reason === 'timeout' || reason === 'killed' ? reason : 'exited')

function whyNotStarted(argv: string[], message: JsonObject): string {
  const code = errorCodeOf(message)
  const why =
    code === 'EAGAIN'
      ? 'the process limit of the sandbox is reached'
      : code === 'ENOENT'
        ? 'there is no such program, or no such folder to start it in'
        : code
  return `cannot start ${argv[0]!.slice(0, 200)}: ${why}\n`
}

/** Time is kept from outside too: whoever stops the agent inside loses the sandbox, and nothing waits for ever. */
function startWatchdog(afterMs: number, onExpired: () => void) {
  const start = (ms: number) =>
    setTimeout(() => {
      timer = setTimeout(onExpired, LAST_LOOK_MS)
    }, ms)
  let timer = start(afterMs)
  let isFinal = false
  return {
    /** Does nothing for a command that was killed before, or has ended. */
    shorten(ms: number) {
      if (isFinal) return
      isFinal = true
      clearTimeout(timer)
      timer = start(ms)
    },
    stop() {
      isFinal = true
      clearTimeout(timer)
    },
  }
}
