import type { Turn } from '#adapters/engines/engine.ts'
import type { Exec, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { renewCheckpoint } from '#domain/runs/checkpoints/renew-checkpoint.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { withExec } from '#adapters/sandboxes/with-exec.ts'
import type { Workspace } from './open-workspace.ts'
import { storeCheckpoint } from './store-checkpoint.ts'
import { takeSnapshot } from './take-snapshot.ts'

export type CheckpointsOf = { holder: Holder; workspace: Workspace }

/** Brings out what a snapshot holds. */
type Store = () => Promise<void>

/**
 * Takes checkpoints between the steps of a turn, at most every few seconds. Of all this a tool's step waits only for a
 * snapshot that is being taken as it begins; packing, checking and storing go on beside the next steps. A model's step,
 * and one that used no sandbox, cost nothing. What fails is told to the operator and tried again; no run fails of it.
 */
export class Checkpoints implements AsyncDisposable {
  /** The sandbox for the engine: what is done in it is noticed. */
  readonly sandbox: Sandbox
  readonly #app: App
  readonly #of: CheckpointsOf
  readonly #stop = new AbortController()
  readonly #told = new Set<string>()
  #isTouched = false
  #atWork = 0
  /** Processes in the sandbox: they may write at any time. */
  #running = 0
  #failures = 0
  /** The last step that is done. */
  #key: string | undefined
  /** What the newest checkpoint of this process holds. */
  #known: { commit: string; key: string } | undefined
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #snapshot: Promise<Store | undefined> | undefined
  #cycle: Promise<void> | undefined

  constructor(app: App, of: CheckpointsOf) {
    this.#app = app
    this.#of = of
    this.sandbox = touching(of.workspace.sandbox, {
      onTouch: () => (this.#isTouched = true),
      onExec: ({ result }) => {
        this.#running++
        const end = () => this.#running--
        void result.then(end, end)
      },
    })
  }

  /** The turn for the engine: after a tool's step that may have changed files, a checkpoint is due. */
  watch(turn: Turn): Turn {
    return {
      ...turn,
      step: async (intent, act, options) => {
        if (intent.kind !== 'tool') return turn.step(intent, act, options)
        // Steps that follow each other without a pause would never let it come to one.
        if (this.#isWanted && performance.now() >= this.#dueAt) void this.#take()
        clearTimeout(this.#timer)
        this.#atWork++
        try {
          await this.#snapshot?.catch(() => undefined)
          const response = await turn.step(intent, act, options)
          this.#key = intent.key
          return response
        } finally {
          this.#atWork--
          if (this.#running) this.#isTouched = true
          this.#arm()
        }
      },
    }
  }

  /** Stores what has changed since the last checkpoint, if it can be done within a moment. */
  async takeLast(): Promise<void> {
    const last = async () => {
      await this.#cycle
      clearTimeout(this.#timer)
      if (this.#isTouched) await this.#take()
    }
    await within(limits.checkpointLastMs, last())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#cycle
  }

  get #isWanted(): boolean {
    return this.#isTouched && !this.#atWork && !this.#cycle && !this.#stop.signal.aborted
  }

  #arm(): void {
    clearTimeout(this.#timer)
    if (this.#isWanted) this.#timer = setTimeout(() => void this.#take(), Math.max(0, this.#dueAt - performance.now()))
  }

  #take(): Promise<void> {
    this.#cycle ??= this.#takeOne().finally(() => {
      this.#cycle = undefined
      this.#arm()
    })
    return this.#cycle
  }

  /** Never rejects. */
  async #takeOne(): Promise<void> {
    const begun = performance.now()
    this.#isTouched = false
    try {
      this.#snapshot = this.#look()
      const store = await this.#snapshot.finally(() => (this.#snapshot = undefined))
      await store?.()
      this.#failures = 0
    } catch (error) {
      this.#isTouched = true
      this.#failures++
      if (!this.#stop.signal.aborted) this.#tell((error as Error).message)
    }
    this.#dueAt = performance.now() + restMs(performance.now() - begun, this.#failures)
  }

  async #look(): Promise<Store | undefined> {
    const [key, known, { signal }] = [this.#key, this.#known, this.#stop]
    if (key === undefined) return undefined
    const { holder, workspace } = this.#of
    const { sandbox, submodules } = workspace
    // What lies beside the work tree must not be what fills the sandbox's disk.
    const bytesMax = Math.min(limits.checkpointBytesMax, Math.floor(this.#app.config.sandboxDiskBytes / 16))
    const snapshot = await takeSnapshot({
      sandbox,
      submodules: submodules.found,
      known: known?.commit ?? null,
      bytesMax,
      signal,
    })
    if (snapshot) {
      return async () => {
        await storeCheckpoint(this.#app, { holder, workspace, snapshot, key, signal })
        this.#known = { commit: snapshot.commit, key }
      }
    }
    if (!known || known.key === key) return undefined
    this.#known = { ...known, key }
    return () => renewCheckpoint(this.#app.pool, { holder, key })
  }

  #tell(reason: string): void {
    const level = this.#told.has(reason) ? 'debug' : 'warn'
    this.#told.add(reason)
    this.#app.logger[level]({ runId: this.#of.holder.runId, reason }, 'a checkpoint could not be taken')
  }
}

/** A large work tree is looked at less often, and so is one of which no checkpoint can be made. */
const restMs = (tookMs: number, failures: number) =>
  Math.max(limits.checkpointPauseMs, tookMs * limits.checkpointPauseFactor) * 2 ** Math.min(failures, 6)

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}

function touching(
  sandbox: Sandbox,
  { onTouch, onExec }: { onTouch: () => void; onExec: (exec: Exec) => void },
): Sandbox {
  const exec: Sandbox['exec'] = (request) => {
    onTouch()
    const started = sandbox.exec(request)
    onExec(started)
    return started
  }
  const writeFile: Sandbox['writeFile'] = (path, data, options) => {
    onTouch()
    return sandbox.writeFile(path, data, options)
  }
  return { ...withExec(sandbox, exec), writeFile }
}
