import { spawn, type ChildProcess } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { lowerPriority } from '#base/lower-priority.ts'
import { FairQueue } from './fair-queue.ts'
import { OffProcessLimit } from './off-process-limit.ts'
import type { TaskMessage } from './serve-tasks.ts'

export type OffProcessOptions = {
  /** The module that the processes run; it calls `serveTasks`. */
  script: URL
  /** How many processes there are at most. None is started before it is needed. */
  processesMax: number
  /** The heap of one process. Bytes of buffers lie beside it: whoever makes them bounds them. */
  memoryBytesMax: number
  /** For one task; how long a process takes to start does not count. */
  timeMs: number
  /** Tasks that wait, in all and of one key. */
  waitingMax?: number
  waitingPerKeyMax?: number
  /** After so long without work a process ends. */
  idleMs?: number
}

export type Asked = {
  /** Who asks, such as a sandbox: only one task of a key is at work at once. */
  key: string
  signal?: AbortSignal | undefined
}

type Task = Asked & { task: unknown; resolve: (answer: never) => void; reject: (error: unknown) => void }
type Helper = {
  child: ChildProcess
  isReady: boolean
  isEnding: boolean
  /** How long it has worked, in all, and since when on what it is at. */
  workedMs: number
  beganAt: number
  at: { key: string; item: Task } | null
  timer?: NodeJS.Timeout
}

/** On a busy machine a process takes its time to begin; that is not the task's fault. */
const startMs = 30_000
/** One that has worked so long is replaced by a new one, so that its limit of processor time is never the task's. */
const workedMsMax = 30_000

/**
 * Work that may be heavy, such as parsing what strangers wrote, in processes with a limit of memory and of time, which
 * know nothing but their task. One that reaches a limit fails with `OffProcessLimit`, and so does nothing else. Not in
 * threads: what `JSON.parse` allocates beyond the limit of a thread ends the whole process.
 */
export class OffProcess<Input, Answer> {
  readonly #options: Required<OffProcessOptions>
  readonly #queue: FairQueue<Task>
  readonly #helpers = new Set<Helper>()

  constructor(options: OffProcessOptions) {
    this.#options = { waitingMax: 1_000, waitingPerKeyMax: 100, idleMs: 30_000, ...options }
    this.#queue = new FairQueue(this.#options)
  }

  get processes(): number {
    return this.#helpers.size
  }

  run(task: Input, asked: Asked): Promise<Answer> {
    const { key, signal } = asked
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const item: Task = { ...asked, task, resolve, reject }
    if (!this.#queue.add(key, item)) return Promise.reject(new OffProcessLimit('queue'))
    const leave = () => this.#leave(item, signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    this.#serve()
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  #leave(item: Task, reason: unknown): void {
    item.reject(reason)
    if (this.#queue.remove(item.key, item)) return
    for (const helper of this.#helpers) if (helper.at?.item === item) end(helper)
  }

  #serve(): void {
    for (;;) {
      const idle = [...this.#helpers].find(({ at, isEnding }) => at === null && !isEnding)
      if (!idle && this.#helpers.size >= this.#options.processesMax) return
      const at = this.#queue.take()
      if (!at) return
      this.#begin(idle ?? this.#start(), at)
    }
  }

  #start(): Helper {
    const { script, memoryBytesMax, timeMs } = this.#options
    // Should this process be killed, one that never ends comes to an end all the same.
    const cpuSeconds = Math.ceil((4 * (workedMsMax + timeMs + startMs)) / 1_000)
    const flags = [
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${Math.ceil(memoryBytesMax / 2 ** 20)}`,
    ]
    const program = [process.execPath, ...flags, fileURLToPath(script)]
    const child = spawn('sh', ['-c', 'ulimit -c 0; ulimit -t "$0"; exec "$@"', String(cpuSeconds), ...program], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: compileCache(),
    })
    lowerPriority(child)
    const helper: Helper = { child, isReady: false, isEnding: false, workedMs: 0, beganAt: 0, at: null }
    this.#helpers.add(helper)
    child.on('message', (text) => this.#hear(helper, text as TaskMessage<Answer>))
    child.on('error', (error) => helper.at?.item.reject(error))
    child.once('close', (code, signal) => this.#forget(helper, code, signal))
    return helper
  }

  #begin(helper: Helper, at: NonNullable<Helper['at']>): void {
    const { child, isReady } = helper
    helper.at = at
    helper.beganAt = performance.now()
    child.ref()
    child.channel?.ref()
    this.#arm(helper, isReady ? this.#options.timeMs : startMs)
    const task = at.item.task as object
    try {
      // A child that has gone says so by its end.
      child.send(task, () => {})
    } catch (error) {
      // It cannot be copied.
      at.item.reject(error)
      this.#free(helper)
    }
  }

  #hear(helper: Helper, text: TaskMessage<Answer>): void {
    if (text.kind === 'ready') {
      helper.isReady = true
      if (helper.at) this.#arm(helper, this.#options.timeMs)
      return
    }
    if (!helper.at) return
    const { resolve, reject } = helper.at.item
    if (text.kind === 'answer') resolve(text.answer as never)
    else reject(text.error)
    this.#free(helper)
    this.#serve()
  }

  /** Whoever asked is answered in time; the process is counted until it has truly ended. */
  #arm(helper: Helper, timeMs: number): void {
    clearTimeout(helper.timer)
    helper.timer = setTimeout(() => {
      helper.at?.item.reject(new OffProcessLimit('time'))
      end(helper)
    }, timeMs)
  }

  #free(helper: Helper): void {
    clearTimeout(helper.timer)
    if (helper.at) this.#queue.release(helper.at.key)
    helper.at = null
    helper.workedMs += performance.now() - helper.beganAt
    helper.child.unref()
    helper.child.channel?.unref()
    if (helper.workedMs > workedMsMax) end(helper)
    else helper.timer = setTimeout(() => end(helper), this.#options.idleMs).unref()
  }

  #forget(helper: Helper, code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(helper.timer)
    this.#helpers.delete(helper)
    if (helper.at) {
      this.#queue.release(helper.at.key)
      helper.at.item.reject(faultOf(code, signal))
    }
    this.#serve()
  }
}

/** Code that was compiled once is not compiled again. It is told nothing else of what this process knows. */
function compileCache(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) }
}

/** From here on it takes nothing more; its end makes room for another. */
function end(helper: Helper): void {
  helper.isEnding = true
  helper.child.kill('SIGKILL')
}

/** V8 aborts where its heap is full; the kernel kills where the machine's memory is. */
function faultOf(code: number | null, signal: NodeJS.Signals | null): Error {
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP') return new OffProcessLimit('memory')
  if (signal === 'SIGXCPU') return new OffProcessLimit('time')
  return new Error(`The process ended without an answer (${signal ?? code}).`)
}
