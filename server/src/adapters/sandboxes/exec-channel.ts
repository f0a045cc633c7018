/**
 * The service's end of a sandbox's exec agent: jobs over one pair of streams, whichever provider opened them. What
 * comes from the agent is not trusted: it runs with the rights of the commands that it starts.
 */
import type { Readable, Writable } from 'node:stream'
import type { JsonObject } from '#base/json.ts'
import { LoopShare } from '#base/concurrency/loop-share.ts'
import { FrameReader, frameHeader, frameKinds, windowBytes, type Frame } from './exec-frames.ts'

/** Pieces of input, so that a large one does not hold up other jobs' frames. */
const INPUT_PIECE_BYTES = 64 * 1024
/** After this, others have their turn, however many frames have come at once. */
const SLICE_MS = 4
/** What a piece costs besides what is seen here: to be read from its pipe, and to be collected. */
const PIECE_MS = 0.03
/** The last message of a job is a few words. */
const END_BYTES_MAX = 4 * 1024

/** Of the event loop's time: for what one sandbox sends, and for what all of them do. */
const loopShare = new LoopShare({ each: 1 / 8, all: 1 / 3 })

/** What this thread has worked: on a busy machine much of the time between two looks at the clock is others'. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** What the agent is asked to do. */
export type JobRequest =
  | {
      type: 'exec'
      argv: string[]
      cwd: string
      env: Record<string, string>
      hasInput: boolean
      timeoutMs: number
    }
  | { type: 'read'; path: string; bytesMax: number }
  | { type: 'write'; path: string; mode?: number }

export type JobEvents = {
  onOutput?: (stream: 'stdout' | 'stderr', chunk: Buffer) => void
  /** Called once, last: with what the agent says, or with null when the sandbox is gone. */
  onEnd: (message: JsonObject | null) => void
}

export type Job = {
  write(data: Uint8Array): void
  endInput(): void
  kill(): void
}

type OpenJob = {
  events: JobEvents
  unsent: Uint8Array[]
  inputCredit: number
  isInputEnded: boolean
  /** Bytes of output for which no credit was given back yet. */
  received: number
}

/** The error that the agent tells of, as the kernel calls it: `ENOENT`. */
export function errorCodeOf({ error }: JsonObject): string {
  return typeof error === 'string' && /^E[A-Z0-9]{1,15}$/.test(error) ? error : 'EIO'
}

export class ExecChannel {
  /** Resolves when the agent has started; rejects when the channel closes before. */
  readonly ready: Promise<void>
  readonly #input: Readable
  readonly #output: Writable
  readonly #reader = new FrameReader()
  readonly #spender = loopShare.open()
  readonly #onBroken: (complaint: string) => void
  readonly #jobs = new Map<number, OpenJob>()
  readonly #started = Promise.withResolvers<void>()
  #lastJob = 0
  #isClosed = false
  #isBroken = false

  /** `input` carries the agent's answers, `output` our requests. `onBroken` is called when the agent talks nonsense. */
  constructor(options: { input: Readable; output: Writable; onBroken: (complaint: string) => void }) {
    this.#input = options.input
    this.#output = options.output
    this.#onBroken = options.onBroken
    this.ready = this.#started.promise
    this.ready.catch(() => {})
    // A broken pipe means that the sandbox has ended, which its owner notices by itself.
    options.output.on('error', () => {})
    options.input.on('error', () => {})
    options.input.on('data', this.#take)
  }

  readonly #take = (chunk: Buffer) => {
    this.#reader.push(chunk)
    this.#read()
  }

  /** Both streams as they are after the agent has started, for somebody else. From then on this channel hears nothing. */
  handOver(): { input: Readable; output: Writable } {
    if (this.#lastJob > 0) throw new Error('the agent has been spoken with already')
    this.#input.off('data', this.#take)
    this.#input.pause()
    return { input: this.#input, output: this.#output }
  }

  start(request: JobRequest, events: JobEvents): Job {
    const id = ++this.#lastJob
    const job: OpenJob = {
      events,
      unsent: [],
      inputCredit: windowBytes,
      isInputEnded: false,
      received: 0,
    }
    if (this.#isClosed) queueMicrotask(() => events.onEnd(null))
    else {
      this.#jobs.set(id, job)
      this.#send(frameKinds.start, id, Buffer.from(JSON.stringify(request)))
    }
    return {
      write: (data) => {
        if (!this.#jobs.has(id) || job.isInputEnded || data.length === 0) return
        job.unsent.push(data)
        this.#sendInput(id, job)
      },
      endInput: () => {
        if (!this.#jobs.has(id) || job.isInputEnded) return
        job.isInputEnded = true
        this.#sendInput(id, job)
      },
      kill: () => {
        if (this.#jobs.has(id)) this.#send(frameKinds.kill, id)
      },
    }
  }

  /** The sandbox is gone: everything that waits for it is told so. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#spender.close()
    this.#started.reject(new Error('the sandbox has ended'))
    for (const id of this.#jobs.keys()) this.#end(id, null)
  }

  /**
   * Takes what has come, for a moment. Then the sandbox's pipe is left alone for as long as its share of our time wants it;
   * the agent stops when the pipe is full, and commands when the agent does.
   */
  #read(): void {
    if (this.#isClosed || this.#isBroken) return void this.#input.resume()
    const begunAt = threadMs()
    try {
      const isAll = this.#receiveFor(SLICE_MS)
      const restMs = this.#spender.spend(threadMs() - begunAt + PIECE_MS)
      if (isAll && restMs === 0) return void this.#input.resume()
      this.#input.pause()
      setTimeout(() => (isAll ? this.#input.resume() : this.#read()), restMs)
    } catch (error) {
      this.#isBroken = true
      this.#onBroken(error instanceof Error ? error.message : String(error))
    }
  }

  /** False when there is more. */
  #receiveFor(ms: number): boolean {
    const endsAt = performance.now() + ms
    for (let frame = this.#reader.next(); frame; frame = this.#reader.next()) {
      this.#receive(frame)
      if (performance.now() > endsAt) return false
    }
    return true
  }

  #receive({ kind, job: id, payload }: Frame): void {
    if (kind === frameKinds.ready) return this.#started.resolve()
    const job = this.#jobs.get(id)
    if (!job) {
      // Input may be taken up to the end of a job, and the report of it cross with that.
      if (kind === frameKinds.accepted) return
      throw new Error(`frame of kind ${kind} for no job`)
    }
    if (kind === frameKinds.stdout || kind === frameKinds.stderr) {
      job.events.onOutput?.(kind === frameKinds.stdout ? 'stdout' : 'stderr', payload)
      this.#giveCredit(id, job, payload.length)
    } else if (kind === frameKinds.accepted) {
      job.inputCredit = Math.min(windowBytes, job.inputCredit + payload.readUInt32LE(0))
      this.#sendInput(id, job)
    } else if (kind === frameKinds.end) {
      if (payload.length > END_BYTES_MAX) throw new Error(`last message of ${payload.length} bytes`)
      this.#end(id, JSON.parse(payload.toString()) as JsonObject)
    } else throw new Error(`frame of kind ${kind}`)
  }

  #giveCredit(id: number, job: OpenJob, bytes: number): void {
    job.received += bytes
    if (job.received < windowBytes / 4) return
    const credit = Buffer.alloc(4)
    credit.writeUInt32LE(job.received)
    job.received = 0
    this.#send(frameKinds.credit, id, credit)
  }

  #sendInput(id: number, job: OpenJob): void {
    while (job.unsent.length > 0 && job.inputCredit > 0) {
      const next = job.unsent[0]!
      const piece = next.subarray(0, Math.min(INPUT_PIECE_BYTES, job.inputCredit))
      if (piece.length === next.length) job.unsent.shift()
      else job.unsent[0] = next.subarray(piece.length)
      job.inputCredit -= piece.length
      this.#send(frameKinds.input, id, piece)
    }
    if (job.isInputEnded && job.unsent.length === 0) this.#send(frameKinds.inputEnd, id)
  }

  #end(id: number, message: JsonObject | null): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#jobs.delete(id)
    job.events.onEnd(message)
  }

  #send(kind: number, id: number, payload?: Uint8Array): void {
    if (this.#isClosed) return
    this.#output.cork()
    this.#output.write(frameHeader(kind, id, payload?.length ?? 0))
    if (payload && payload.length > 0) this.#output.write(payload)
    this.#output.uncork()
  }
}
