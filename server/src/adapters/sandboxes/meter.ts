import { fork, type ChildProcess } from 'node:child_process'
import { lowerPriority } from '#base/lower-priority.ts'
import type { MeasureDisk } from './measure-disk.ts'
import type { MeasureProcesses } from './measure-processes.ts'

/** A meter that is at work and says nothing for so many of our ticks is started anew. Ticks, as we may be held up too. */
const SILENT_TICKS_MAX = 20
const TICK_MS = 1_000
const HEAP_MEBIBYTES = 64

export type SandboxUse = { diskBytes: number; memoryBytes: number; openFiles: number }
export type Look = { disk?: MeasureDisk; processes?: MeasureProcesses }

/** What the two say to each other. */
export type LookRequest = Look & { id: number }
export type LookAnswer = { id?: number; use?: SandboxUse; fault?: string }

export type Meter = {
  /** What a sandbox uses now. Rejects, in a bounded time, when that cannot be known. */
  look(look: Look): Promise<SandboxUse>
}

type Waiting = { resolve: (use: SandboxUse) => void; reject: (error: Error) => void }

export type MeterOptions = { program?: URL; silentTicksMax?: number }

/** One process for all sandboxes of a provider, from the first look on. It keeps no service from ending. */
export function openMeter(options: MeterOptions = {}): Meter {
  const { program = new URL('./meter-process.ts', import.meta.url), silentTicksMax = SILENT_TICKS_MAX } = options
  const waiting = new Map<number, Waiting>()
  let child: ChildProcess | undefined
  let lastId = 0
  let silentTicks = 0

  function start(): ChildProcess {
    const started = fork(program, {
      execArgv: [`--max-old-space-size=${HEAP_MEBIBYTES}`, '--no-warnings'],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
      // A Ctrl-C in the service's terminal is not for it.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    lowerPriority(started, { hasOwnSession: true })
    started.unref()
    started.channel?.unref()
    started.on('message', (answer: LookAnswer) => {
      silentTicks = 0
      take(answer)
    })
    for (const event of ['error', 'exit', 'disconnect'] as const)
      started.on(event, () => {
        if (child !== started) return
        child = undefined
        started.kill('SIGKILL')
        for (const id of waiting.keys()) take({ id, fault: 'the meter has ended' })
      })
    silentTicks = 0
    return started
  }

  function take({ id, use, fault }: LookAnswer): void {
    const found = id !== undefined && waiting.get(id)
    if (!found) return
    waiting.delete(id)
    if (use) found.resolve(use)
    else found.reject(new Error(fault))
  }

  setInterval(() => {
    if (waiting.size === 0) silentTicks = 0
    else if (++silentTicks > silentTicksMax) child?.kill('SIGKILL')
  }, TICK_MS).unref()

  return {
    look: (look) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        child ??= start()
        child.send({ ...look, id } satisfies LookRequest, (error) => {
          if (error) take({ id, fault: error.message })
        })
      }),
  }
}
