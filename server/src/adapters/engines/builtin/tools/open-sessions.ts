import { setTimeout as sleep } from 'node:timers/promises'
import type { Exec, ExecRequest, ExecResult, Sandbox } from '#adapters/sandboxes/sandbox.ts'

/** Of what nobody has read yet this much is kept, the newest. */
const UNREAD_BYTES_MAX = 1024 * 1024
/** A command that has printed more is stopped: passing it on keeps the worker busy. */
const PRINTED_BYTES_MAX = 128 * 1024 * 1024
/** A timer takes no more than 2^31 ms; the sandbox ends before. */
const TIME_MS_MAX = 7 * 24 * 3600 * 1000
const LOOK_MS = 50

export type Session = {
  readonly command: string
  readonly startedAt: number
  /** Null while it runs. */
  result(): ExecResult | null
  hasFlooded(): boolean
  write(input: string): void
  /** Waits until it ends, until it has printed and is quiet for `quietMs` (null: it may be as quiet as it likes), or for `waitMs`. */
  wait(limit: { waitMs: number; quietMs: number | null; signal: AbortSignal }): Promise<void>
  /** What it printed since the last time. */
  take(): { text: string; droppedBytes: number }
  stop(): Promise<void>
}

/** The sessions of one turn on one worker, by the name of the call that started each. */
export type Sessions = {
  readonly all: ReadonlyMap<string, Session>
  start(id: string, sandbox: Sandbox, request: StartSession): void
  /** Resolves when none is left. */
  stopAll(): Promise<void>
}

type StartSession = Pick<ExecRequest, 'argv' | 'cwd' | 'env' | 'secrets' | 'signal'> & { command: string }

export function openSessions(): Sessions {
  const all = new Map<string, Session>()
  return {
    all,
    start: (id, sandbox, request) => void all.set(id, startSession(sandbox, request)),
    stopAll: async () => void (await Promise.all([...all.values()].map((session) => session.stop()))),
  }
}

function startSession(sandbox: Sandbox, { command, ...request }: StartSession): Session {
  const unread = keepNewest()
  const state: { result: ExecResult | null } = { result: null }
  let printedBytes = 0
  let printedAt = 0
  const exec: Exec = sandbox.exec({
    ...request,
    interactive: true,
    isSession: true,
    timeoutMs: Math.min(sandbox.limits.lifetimeMs, TIME_MS_MAX),
    outputBytesMax: 4096,
    onOutput: (_, chunk) => {
      printedBytes += chunk.length
      printedAt = performance.now()
      unread.add(chunk)
      if (printedBytes > PRINTED_BYTES_MAX) exec.kill()
    },
  })
  const ended = exec.result.then((value) => {
    state.result = value
  })
  return {
    command,
    startedAt: performance.now(),
    result: () => state.result,
    hasFlooded: () => printedBytes > PRINTED_BYTES_MAX,
    write: (input) => exec.write(input),
    wait: async ({ waitMs, quietMs, signal }) => {
      const startedAt = performance.now()
      while (state.result === null && !signal.aborted && performance.now() - startedAt < waitMs) {
        const quietSince = Math.max(printedAt, startedAt)
        const hasPrinted = unread.hasAny() || (exec.peek?.().length ?? 0) > 0
        if (quietMs !== null && hasPrinted && performance.now() - quietSince >= quietMs) return
        await Promise.race([ended, sleep(LOOK_MS)])
      }
    },
    take: () => unread.take(state.result === null ? (exec.peek?.() ?? Buffer.alloc(0)) : Buffer.alloc(0)),
    stop: async () => {
      exec.kill()
      await ended
    },
  }
}

/** The newest bytes that nobody has read, and which of those that a filter holds back were shown already. */
function keepNewest() {
  let pieces: Buffer[] = []
  let bytes = 0
  let droppedBytes = 0
  let shown: Buffer = Buffer.alloc(0)
  const decoder = new TextDecoder()
  const join = () => {
    const all = Buffer.concat(pieces)
    const kept = all.subarray(-UNREAD_BYTES_MAX)
    droppedBytes += all.length - kept.length
    pieces = [Buffer.from(kept)]
    bytes = kept.length
    return kept
  }
  return {
    hasAny: () => bytes > 0,
    add(chunk: Uint8Array) {
      pieces.push(Buffer.from(chunk))
      bytes += chunk.length
      // Joined only now and then: each byte is copied twice at most.
      if (bytes > UNREAD_BYTES_MAX * 2) join()
    },
    take(held: Uint8Array) {
      const all = Buffer.concat([join(), held])
      const fresh = all.subarray(0, shown.length).equals(shown) ? all.subarray(shown.length) : all
      const dropped = droppedBytes
      pieces = []
      bytes = 0
      droppedBytes = 0
      shown = Buffer.from(held)
      return { text: decoder.decode(fresh, { stream: true }), droppedBytes: dropped }
    },
  }
}
