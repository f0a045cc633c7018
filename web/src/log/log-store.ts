import {
  applyDelta,
  type AgentRunLog,
  type LiveTool,
  type Progress,
  type TextDelta,
  type WrittenText,
} from '@runwright/sdk'
import type { Family } from '#base/search.ts'
import { factsOf } from './entry-facts.ts'

/** `busy`: the service is there, and was asked too often. */
export type Connection = 'opening' | 'there' | 'away' | 'busy' | 'ended'

const isLost = (connection: Connection) => connection === 'away' || connection === 'busy'

/** A moment of a run that the ribbon marks. */
export type Tick = { at: number; kind: 'err' | 'user' | 'done' }

/** What pages are told of the store, anew for each change; the entries themselves are only ever added to. */
export type LogView = {
  entries: readonly AgentRunLog[]
  length: number
  counts: Readonly<Record<Family, number>>
  /** The tool that is running, and the end of what it has printed. */
  tool: LiveTool | null
  progress: Progress | null
  /** What the agent is writing. */
  writing: WrittenText | null
  connection: Connection
  /** How many entries came with the connection that has just come back; null when that is some time ago. */
  caughtUp: number | null
  lastFailure: number | null
  /** The last command that exited with another code than 0. */
  lastExit: number | null
  ticks: readonly Tick[]
}

const caughtUpMs = 3_000
/** A hidden page has no frames to wait for. */
const hiddenMs = 250

/** A run's log, outside of React: it grows by one push, and tells of it at most once a frame. */
export class LogStore {
  readonly entries: AgentRunLog[] = []
  readonly turnStarts = new Map<number, number>()
  readonly #counts: Record<Family, number> = { thought: 0, tool: 0, edit: 0, exit: 0, error: 0, user: 0, pr: 0 }
  readonly #ticks: Tick[] = []
  readonly #listeners = new Set<() => void>()
  #tool: LiveTool | null = null
  #progress: Progress | null = null
  #writing: WrittenText | null = null
  #connection: Connection = 'opening'
  #caughtUp: number | null = null
  #lostAt = 0
  #lastFailure: number | null = null
  #lastExit: number | null = null
  #isScheduled = false
  #view: LogView = this.#makeView()

  append(entry: AgentRunLog): void {
    if (entry.seq !== this.entries.length + 1) return
    const facts = factsOf(entry)
    const at = Date.parse(entry.created_at)
    this.entries.push(entry)
    if (!this.turnStarts.has(entry.turn)) this.turnStarts.set(entry.turn, at)
    for (const family of facts.families) this.#counts[family]++
    if (facts.isFailure) this.#lastFailure = entry.seq
    if (facts.families.has('exit')) this.#lastExit = entry.seq
    if (facts.kind === 'answer') this.#lastExit = null
    if (facts.isFailure) this.#ticks.push({ at, kind: 'err' })
    else if (facts.kind === 'user') this.#ticks.push({ at, kind: 'user' })
    else if (facts.kind === 'answer') this.#ticks.push({ at, kind: 'done' })
    this.#replaceLive(entry)
    this.#schedule()
  }

  /** A tool that starts or has ended. */
  showTool(tool: LiveTool): void {
    const isRunning = tool.ended_at === null
    if (!isRunning && this.#tool && this.#tool.step !== tool.step) return
    if (this.#tool?.step !== tool.step || !isRunning) this.#progress = null
    this.#tool = isRunning ? tool : null
    this.#schedule()
  }

  showProgress(progress: Progress): void {
    this.#progress = progress
    this.#schedule()
  }

  /** A piece of what is being written. An answer stays until it is an entry, since the work is published before that. */
  showDelta(delta: TextDelta): void {
    const writing = applyDelta(this.#writing, delta)
    this.#writing = writing.done && writing.kind === 'thought' ? null : writing
    this.#schedule()
  }

  /** Nothing is going on any more. */
  endLive(): void {
    this.#tool = this.#progress = this.#writing = null
    this.#schedule()
  }

  /** What was live is an entry now. */
  #replaceLive({ tool_name: tool, thought, message_type: type }: AgentRunLog): void {
    if (tool !== null || type === 'FINAL_ANSWER') this.#tool = this.#progress = null
    const isWritten = this.#writing?.kind === 'answer' ? type === 'FINAL_ANSWER' : thought !== null
    if (isWritten) this.#writing = null
  }

  setConnection(connection: Connection): void {
    if (connection === this.#connection) return
    if (isLost(connection) && !isLost(this.#connection)) this.#lostAt = this.entries.length
    if (connection === 'there' && isLost(this.#connection)) {
      this.#caughtUp = 0
      setTimeout(() => {
        this.#caughtUp = null
        this.#schedule()
      }, caughtUpMs)
    }
    this.#connection = connection
    this.#schedule()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): LogView => this.#view

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const tell = () => {
      this.#isScheduled = false
      if (this.#caughtUp !== null) this.#caughtUp = this.entries.length - this.#lostAt
      this.#view = this.#makeView()
      for (const listener of this.#listeners) listener()
    }
    if (document.hidden) setTimeout(tell, hiddenMs)
    else requestAnimationFrame(tell)
  }

  #makeView(): LogView {
    return {
      entries: this.entries,
      length: this.entries.length,
      counts: { ...this.#counts },
      tool: this.#tool,
      progress: this.#progress,
      writing: this.#writing,
      connection: this.#connection,
      caughtUp: this.#caughtUp,
      lastFailure: this.#lastFailure,
      lastExit: this.#lastExit,
      ticks: this.#ticks,
    }
  }
}
