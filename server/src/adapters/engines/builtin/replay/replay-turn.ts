import type { Ask, Entry, Intent, Message, Outcome, Past, Turn, TurnSettings } from '#adapters/engines/engine.ts'
import type { ExecResult, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { noSandbox } from '#adapters/sandboxes/no-sandbox.ts'
import type { Basis } from '#adapters/engines/builtin/describe-basis.ts'
import type { Json, JsonObject } from '#base/json.ts'
import { findDifference } from './find-difference.ts'
import { RecordRefused, type RecordedStep, type RunRecord } from './read-record.ts'

/** What happens now is not what the record has. */
export class Differs extends Error {
  override readonly name = 'Differs'
}

/** The record has no outcome of this step: there the run ended, or was lost. */
export class RecordEnds extends Error {
  override readonly name = 'RecordEnds'
}

/** A log entry may be cut in the log, and texts this long are not compared. */
const OBSERVATION_CHARACTERS_MAX = 8_000

const offline: Sandbox = {
  ...noSandbox,
  exec: () => ({ result: Promise.resolve({ exitCode: 0, stdout: Buffer.alloc(0) } as ExecResult) }) as never,
}

/** A turn whose steps are those of a record: nothing is done, and what the engine asks for is compared. */
export class ReplayTurn implements Turn {
  readonly organizationId = 0
  readonly runId = 0
  readonly number: number
  readonly prompt: string
  readonly metadata = null
  readonly rules = { organization: null, person: null, areDetected: false }
  readonly outputSchema: JsonObject | null
  readonly planApproval: boolean
  readonly repository: Turn['repository']
  readonly sandbox = offline
  readonly secrets: Turn['secrets']
  readonly hooks: NonNullable<Turn['hooks']>
  readonly signal = new AbortController().signal
  readonly children?: NonNullable<Turn['children']>
  readonly past: readonly Past[]
  readonly basis: Basis | undefined
  readonly hasTests: boolean
  readonly seal: string | undefined
  readonly #record: RunRecord
  readonly #steps: RecordedStep[]
  readonly #later: RunRecord['messages']
  compared = 0

  constructor(record: RunRecord, number: number) {
    const { head, messages, steps } = record
    const own = steps.filter((step) => step.turn === number && step.kind !== 'note')
    const first = own[0]?.step ?? Infinity
    const lost = steps.find((step) => step.turn === number && step.step > first && restoredOf(step))
    if (lost) throw new RecordRefused(`Turn ${number} cannot be replayed: files were lost in it, and restored.`)
    this.number = number
    this.outputSchema = head.outputSchema
    this.planApproval = head.planApproval
    this.repository =
      head.repository === null
        ? null
        : { name: head.repository, branch: head.branch ?? '', baseBranch: head.baseBranch ?? '' }
    const request = own.find(({ kind }) => kind === 'model')?.request as { basis?: Basis; seal?: string } | undefined
    this.basis = request?.basis
    this.seal = request?.seal
    this.hasTests = this.basis?.hasTests === true
    this.secrets = this.basis?.secrets ?? []
    this.hooks = this.basis?.hooks ?? { afterEdit: [], beforeFinish: [] }
    // Calls of it are answered from the record.
    if (this.basis?.mayStartRuns) this.children = {} as NonNullable<Turn['children']>
    this.prompt = messages.find(({ turn }) => turn === number)?.text ?? ''
    this.#record = record
    this.#steps = own
    this.#later = messages.filter(({ beforeStep, turn }) => turn === number && beforeStep > first)
    this.past = pastOf(record, first)
  }

  /** Steps of the record that were not asked for. */
  get left(): readonly RecordedStep[] {
    return this.#steps
  }

  async step<T extends Json>(
    intent: Intent,
    _act: (signal: AbortSignal) => Promise<Outcome<T>>,
    { entriesOf }: { entriesOf?: (response: T) => Entry[] } = {},
  ): Promise<T> {
    const step = this.#take(intent.key, intent.request)
    const response = step.response as T
    const entry = entriesOf && this.#record.entries.get(step.seq ?? -1)
    if (entry) compareEntry(step.key, entry, entriesOf(response)[0])
    return response
  }

  async ask({ key, kind, text, options = [] }: Ask): Promise<string> {
    return (this.#take(key, { kind, text, options }).response as { answer: string }).answer
  }

  async note(key: string, entries: Entry[]): Promise<void> {
    const step = this.#record.steps.find((one) => one.key === key)
    if (!step) throw new Differs(`The log now has an entry that it did not have: ${entries[0]?.thought ?? key}`)
    const entry = this.#record.entries.get(step.seq ?? -1)
    if (entry) compareEntry(key, entry, entries[0])
  }

  async takeMessages(): Promise<Message[]> {
    const next = this.#steps[0]?.step ?? Infinity
    const heard = this.#later.filter(({ beforeStep }) => beforeStep <= next)
    this.#later.splice(0, heard.length)
    return heard.map(({ text }) => ({ text, images: [] }))
  }

  async readSettings(): Promise<TurnSettings> {
    const next = this.#steps.find(({ kind, request }) => kind === 'model' && request['model'] !== undefined)
    const model = (next?.request['model'] as string | undefined) ?? 'openai/replay'
    return { models: [model], effort: null, maxModelCalls: null }
  }

  /** Whether the model heard these words next, of what the service itself says. */
  isToldOf(words: string): boolean {
    const next = this.#steps.find(({ kind, request }) => kind === 'model' && Array.isArray(request['said']))
    const messages = (next?.request['said'] ?? []) as { text?: Json }[]
    return messages.some(({ text }) => text === words)
  }

  write(): void {}
  takeMoney = async () => null
  readImage = async () => Buffer.alloc(0)

  #take(key: string, request: JsonObject): RecordedStep {
    const step = this.#steps.shift()
    if (!step) throw new RecordEnds()
    if (step.key !== key) throw new Differs(`Step ${step.key} came then; now ${key} comes.`)
    // As it would be stored.
    const difference = findDifference(step.request, JSON.parse(JSON.stringify(request)) as Json)
    if (difference?.path === 'sent')
      throw new Differs(`In step ${key} other messages are sent than then, made of the same steps.`)
    if (difference) throw new Differs(wordsOf(`In step ${key}, ${difference.path}`, difference))
    if (step.response === null) throw new RecordEnds()
    this.compared++
    return step
  }
}

export const wordsOf = (what: string, { before, now }: { before: string; now: string }) =>
  `${what} differs.\n  then: ${before}\n  now:  ${now}`

function compareEntry(key: string, then: JsonObject, now: Entry | undefined): void {
  const { observation } = then
  const isLong = typeof observation === 'string' && observation.length > OBSERVATION_CHARACTERS_MAX
  const pick = (type: Json, tool: Json, text: Json) => ({
    message_type: type,
    tool_name: tool,
    observation: isLong ? null : text,
  })
  const difference = findDifference(
    pick(then['message_type'] ?? null, then['tool_name'] ?? null, observation ?? null),
    pick(now?.messageType ?? null, now?.toolName ?? null, now?.observation ?? null),
  )
  if (difference) throw new Differs(wordsOf(`The log entry of step ${key}, ${difference.path}`, difference))
}

type Restored = { text: string; lost: string[] }

function restoredOf({ kind, key, response }: RecordedStep): Restored | null {
  if (kind !== 'note' || !/^t\d+\/workspace/.test(key)) return null
  return (response as { restored?: Restored } | null)?.restored ?? null
}

/** What the engine knew when the turn began. The very first question is there, as begun: it tells of files that nobody has now. */
function pastOf({ messages, steps }: RunRecord, first: number): Past[] {
  const isOpening = !steps.some((step) => step.step < first && step.kind === 'model')
  const before = steps.filter(
    (step) => step.step < first || (isOpening && step.step === first && step.kind === 'model'),
  )
  const past = before.flatMap((step): { at: number; item: Past }[] => {
    const { turn, key, kind, request } = step
    const restored = restoredOf(step)
    if (restored) return [{ at: step.step, item: { type: 'restored', turn, ...restored } }]
    if (kind === 'note') return []
    const response = step.step === first || step.response === null ? undefined : step.response
    return [{ at: step.step, item: { type: 'step', turn, step: { key, kind, turn, request, response } } }]
  })
  for (const { turn, text, beforeStep } of messages)
    if (beforeStep <= first) past.push({ at: beforeStep - 0.5, item: { type: 'message', turn, text, images: [] } })
  return past.sort((one, other) => one.at - other.at).map(({ item }) => item)
}
