import type {
  Ask,
  Entry,
  Image,
  Intent,
  Message,
  Outcome,
  Past,
  PastStep,
  Turn,
  TurnSettings,
} from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { noHooks } from '#base/hooks.ts'
import type { Json, JsonObject } from '#base/json.ts'

/** What a lost worker leaves behind; given to a second `MemoryTurn`, it goes on from there. */
export type TurnStore = { steps: PastStep[]; entries: StoredEntry[]; noteKeys: string[]; takenMessages: number }
export type StoredEntry = Entry & { stepKey: string | null; isRepeated: boolean }

export type MemoryTurnOptions = {
  sandbox: Sandbox
  secrets?: Turn['secrets']
  prompt?: string
  number?: number
  model?: string | null
  settings?: Partial<TurnSettings>
  outputSchema?: JsonObject | null
  planApproval?: boolean
  /** What people answer, question by question; where it ends, the turn waits. */
  answers?: string[]
  /** Of the prompt; `readImage` answers these bytes for each. */
  images?: (Image & { bytes: Buffer })[]
  metadata?: JsonObject | null
  rules?: Partial<Turn['rules']>
  repository?: Turn['repository']
  hooks?: NonNullable<Turn['hooks']>
  signal?: AbortSignal
  /** What happened in earlier turns. This turn's steps are added from the store. */
  past?: Past[]
  /** What people send while the turn runs. Push to it at any time. */
  messages?: string[]
  store?: TurnStore
  /** The worker is lost in the step of this key: after it was begun, or after it was done but before that is stored. */
  loseWorkerAt?: { key: string; when: 'begun' | 'done' }
}

/** Thrown where the worker is lost. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost'
}

/** Thrown where the turn waits for an answer. */
export class AnswerAwaited extends Error {
  override readonly name = 'AnswerAwaited'
}

export function emptyStore(): TurnStore {
  return { steps: [], entries: [], noteKeys: [], takenMessages: 0 }
}

/** A `Turn` that keeps its promises in memory. Everything goes through JSON, as it would through a database. */
export class MemoryTurn implements Turn {
  readonly organizationId = 1
  readonly runId = 1
  readonly number: number
  readonly prompt: string
  readonly metadata: JsonObject | null
  readonly rules: Turn['rules']
  /** May be set at any time. */
  model: string | null
  settings: Partial<TurnSettings>
  readonly outputSchema: JsonObject | null
  readonly planApproval: boolean
  readonly asked: Ask[] = []
  readonly written: { kind: 'thought' | 'answer'; piece: string | null }[] = []
  readonly answers: string[]
  readonly images: (Image & { bytes: Buffer })[]
  readonly repository: Turn['repository']
  readonly hooks: NonNullable<Turn['hooks']>
  readonly sandbox: Sandbox
  readonly secrets: Turn['secrets']
  readonly signal: AbortSignal
  readonly past: readonly Past[]
  readonly store: TurnStore
  readonly messages: string[]
  readonly #loseWorkerAt: MemoryTurnOptions['loseWorkerAt']

  constructor(options: MemoryTurnOptions) {
    this.number = options.number ?? 1
    this.secrets = options.secrets ?? []
    this.prompt = options.prompt ?? 'Make the failing tests pass.'
    this.metadata = options.metadata ?? null
    this.rules = { organization: null, person: null, areDetected: true, ...options.rules }
    this.model = options.model ?? null
    this.settings = options.settings ?? {}
    this.outputSchema = options.outputSchema ?? null
    this.planApproval = options.planApproval ?? false
    this.answers = options.answers ?? []
    this.images = options.images ?? []
    this.repository = options.repository ?? { name: 'example', branch: 'runwright/1', baseBranch: 'main' }
    this.hooks = options.hooks ?? noHooks
    this.sandbox = options.sandbox
    this.signal = options.signal ?? new AbortController().signal
    this.messages = options.messages ?? []
    this.store = throughJson(options.store ?? emptyStore())
    this.#loseWorkerAt = options.loseWorkerAt
    this.past = [
      ...(options.past ?? []),
      {
        type: 'message',
        turn: this.number,
        text: this.prompt,
        images: this.images.map(({ sha256, mediaType }) => ({ sha256, mediaType })),
      },
      ...this.store.steps.map((step): Past => ({ type: 'step', turn: step.turn, step: { ...step } })),
    ]
  }

  get entries(): readonly StoredEntry[] {
    return this.store.entries
  }

  async step<T extends Json>(
    intent: Intent,
    act: (signal: AbortSignal) => Promise<Outcome<T>>,
    options: { interrupted?: () => Outcome<T> } = {},
  ): Promise<T> {
    this.signal.throwIfAborted()
    const begun = this.store.steps.find((step) => step.key === intent.key)
    if (begun?.response !== undefined) return throughJson(begun.response) as T
    const step: PastStep = begun ?? { ...throughJson(intent), turn: this.number, response: undefined }
    if (!begun) this.store.steps.push(step)
    if (begun && options.interrupted) return this.#finish(step, options.interrupted(), false)
    this.#loseWorkerIf(intent.key, 'begun')
    const outcome = await act(this.signal)
    this.#loseWorkerIf(intent.key, 'done')
    return this.#finish(step, outcome, begun !== undefined)
  }

  async takeMoney(): Promise<number | null> {
    return null
  }

  async ask(question: Ask): Promise<string> {
    this.signal.throwIfAborted()
    const begun = this.store.steps.find((step) => step.key === question.key)
    if (begun?.response !== undefined) return (begun.response as { answer: string }).answer
    const { key, kind, text, options = [] } = question
    const step: PastStep = begun ?? {
      key,
      kind: 'ask',
      request: { kind, text, options },
      turn: this.number,
      response: undefined,
    }
    if (!begun) this.store.steps.push(step)
    this.asked.push(question)
    const answer = this.answers.shift()
    if (answer === undefined) throw new AnswerAwaited(text)
    step.response = { answer }
    this.#append(key, [{ messageType: 'ACTION', toolName: 'ask_user', observation: answer }], false)
    return answer
  }

  async note(key: string, entries: Entry[]): Promise<void> {
    this.signal.throwIfAborted()
    if (this.store.noteKeys.includes(key)) return
    this.store.noteKeys.push(key)
    this.#append(null, entries, false)
  }

  write(kind: 'thought' | 'answer', piece: string | null): void {
    this.written.push({ kind, piece })
  }

  async takeMessages(): Promise<Message[]> {
    this.signal.throwIfAborted()
    const taken = this.messages.slice(this.store.takenMessages)
    this.store.takenMessages = this.messages.length
    this.#append(
      null,
      taken.map((text) => ({ messageType: 'USER_MESSAGE', observation: text })),
      false,
    )
    return taken.map((text) => ({ text, images: [] }))
  }

  async readSettings(): Promise<TurnSettings> {
    return { models: this.model === null ? [] : [this.model], effort: null, maxModelCalls: null, ...this.settings }
  }

  async readImage({ sha256 }: Image): Promise<Buffer> {
    const image = this.images.find((one) => one.sha256 === sha256)
    if (!image) throw new Error(`there is no image ${sha256}`)
    return image.bytes
  }

  #finish<T extends Json>(step: PastStep, outcome: Outcome<T>, isRepeated: boolean): T {
    step.response = throughJson(outcome.response)
    this.#append(step.key, outcome.entries, isRepeated)
    return throughJson(outcome.response)
  }

  #append(stepKey: string | null, entries: Entry[], isRepeated: boolean): void {
    for (const entry of entries) this.store.entries.push({ ...throughJson(entry), stepKey, isRepeated })
  }

  #loseWorkerIf(key: string, when: 'begun' | 'done'): void {
    if (this.#loseWorkerAt?.key === key && this.#loseWorkerAt.when === when) throw new WorkerLost(`lost in ${key}`)
  }
}

function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
