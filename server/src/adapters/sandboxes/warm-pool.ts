import { freemem } from 'node:os'
import type { PoolSetting } from './local-launch.ts'
import type { OnTrouble } from './sandbox.ts'
import type { WarmSandbox } from './warm-sandbox.ts'

const QUIET_MS = 2_000
export const AGE_MS_MAX = 30 * 60_000
/** A kind that nobody has asked for in so long is not made ready any more. */
const WANTED_MS = 2 * 60 * 60_000
/** After a failure, doubled with each. */
const AGAIN_MS_MIN = 60_000
const AGAIN_MS_MAX = 10 * 60_000
/** Between two words to an operator. */
const TROUBLE_MS_MIN = 10 * 60_000

/** All that cannot be changed later is the same in sandboxes of one kind. */
export type Kind = {
  key: string
  /** What one may come to use. */
  memoryBytes: number
  /** Null where it cannot be made any more, because what it is made of has changed. */
  make: () => Promise<WarmSandbox | null>
}

/**
 * Keeps sandboxes of the kinds that were asked for last, for whoever asks next. It makes one at a time, and none while a sandbox is
 * being created.
 */
export class WarmPool {
  readonly #options: Required<PoolSetting> & { onTrouble: OnTrouble }
  readonly #ready = new Map<WarmSandbox, { key: string; madeAt: number }>()
  /** The last first. */
  #kinds: (Kind & { wantedAt: number })[] = []
  #creating = 0
  #making: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #notBefore = 0
  #toldAt = -Infinity
  #isClosed = false

  constructor(options: PoolSetting & { onTrouble: OnTrouble }) {
    this.#options = { quietMs: QUIET_MS, ageMsMax: AGE_MS_MAX, onReady: () => {}, ...options }
  }

  /** One that has not ended and is not too old. Nobody else gets it. */
  take(key: string): WarmSandbox | undefined {
    for (const [sandbox, { key: its, madeAt }] of this.#ready) {
      if (its !== key || this.#isOld(madeAt)) continue
      this.#forget(sandbox)
      return sandbox
    }
    return undefined
  }

  /** A sandbox is being created as long as this lasts. */
  async whileCreating<T>(create: () => Promise<T>): Promise<T> {
    this.#creating += 1
    try {
      return await create()
    } finally {
      this.#creating -= 1
      this.#wakeIn(this.#options.quietMs)
    }
  }

  /** Another one of this kind is likely to be asked for. */
  want(kind: Kind): void {
    const others = this.#kinds.filter(({ key }) => key !== kind.key)
    this.#kinds = [{ ...kind, wantedAt: Date.now() }, ...others].slice(0, this.#options.size)
  }

  /** Nothing is left, and nothing is made any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#making
    await this.#remove([...this.#ready.keys()])
  }

  #isOld(madeAt: number): boolean {
    return madeAt + this.#options.ageMsMax < Date.now()
  }

  #wakeIn(ms: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#work(), ms).unref()
  }

  async #work(): Promise<void> {
    if (this.#isClosed || this.#creating > 0 || this.#making) return
    this.#making = this.#workOnce()
    await this.#making
    this.#making = undefined
    this.#wakeIn(this.#nextMs())
  }

  /** Never rejects. */
  async #workOnce(): Promise<void> {
    this.#kinds = this.#kinds.filter(({ wantedAt }) => wantedAt + WANTED_MS > Date.now())
    await this.#remove(this.#findNeedless())
    const kind = this.#findLacking()
    if (!kind || this.#notBefore > Date.now()) return
    // Those that wait count as what they may become.
    if (freemem() < kind.memoryBytes) return this.#rest()
    try {
      const sandbox = await kind.make()
      this.#failures = 0
      if (sandbox) this.#keep(kind, sandbox)
      else this.#kinds = this.#kinds.filter(({ key }) => key !== kind.key)
    } catch (error) {
      this.#rest()
      if (this.#toldAt + TROUBLE_MS_MIN > Date.now()) return
      this.#toldAt = Date.now()
      this.#options.onTrouble({ kind: 'not_made_ready', id: 'warm', error })
    }
  }

  #rest(): void {
    this.#notBefore = Date.now() + Math.min(AGAIN_MS_MIN * 2 ** this.#failures, AGAIN_MS_MAX)
    this.#failures += 1
  }

  #keep({ key }: Kind, sandbox: WarmSandbox): void {
    this.#ready.set(sandbox, { key, madeAt: Date.now() })
    this.#options.onReady(this.#ready.size)
    void sandbox.ended.then(async () => {
      if (!this.#ready.has(sandbox)) return
      await this.#remove([sandbox])
      this.#wakeIn(this.#options.quietMs)
    })
  }

  /** One of each kind; what room is left goes around once more, from the last on. */
  #countWanted(): Map<string, number> {
    const counts = new Map<string, number>()
    if (this.#kinds.length === 0) return counts
    for (let index = 0; index < this.#options.size; index++) {
      const { key } = this.#kinds[index % this.#kinds.length]!
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  #findNeedless(): WarmSandbox[] {
    const room = this.#countWanted()
    return [...this.#ready].flatMap(([sandbox, { key, madeAt }]) => {
      const left = this.#isOld(madeAt) ? 0 : (room.get(key) ?? 0)
      if (left > 0) room.set(key, left - 1)
      return left > 0 ? [] : [sandbox]
    })
  }

  #findLacking(): Kind | undefined {
    const counts = this.#countWanted()
    for (const { key } of this.#ready.values()) counts.set(key, (counts.get(key) ?? 0) - 1)
    return this.#kinds.find(({ key }) => (counts.get(key) ?? 0) > 0)
  }

  #nextMs(): number {
    const { quietMs, ageMsMax } = this.#options
    const oldest = Math.min(...[...this.#ready.values()].map(({ madeAt }) => madeAt), Date.now())
    const untilOld = Math.max(oldest + ageMsMax - Date.now(), 0) + 1
    return this.#findLacking() ? Math.max(quietMs, this.#notBefore - Date.now()) : untilOld
  }

  #forget(sandbox: WarmSandbox): void {
    if (this.#ready.delete(sandbox)) this.#options.onReady(this.#ready.size)
  }

  async #remove(sandboxes: WarmSandbox[]): Promise<void> {
    sandboxes.forEach((sandbox) => this.#forget(sandbox))
    await Promise.allSettled(sandboxes.map((sandbox) => sandbox.remove()))
  }
}
