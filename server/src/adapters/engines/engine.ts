/**
 * An engine drives one turn of a run: it decides what is done next, does it in the sandbox, and answers. The worker
 * gives it a `Turn`, through which everything goes that must survive a crash.
 */
import type { Effort } from '#base/models/effort.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { Hooks } from '#base/hooks.ts'
import type { Entry, Usage } from '#base/entry.ts'
import type { Json, JsonObject } from '#base/json.ts'
import type { ModelPrices } from '#base/models/model-config.ts'
import type { OwnProviders } from '#base/models/own-provider.ts'
import type { PricedModel } from '#base/models/price-usage.ts'

export type { Entry, MessageType, Usage } from '#base/entry.ts'

/** What a step is about to do; stored before it is done. */
export type Intent = {
  /** Unique in the run, and the same when the engine comes to this step again after a crash: `t1/model/3`, `t1/tool/call_7`. */
  key: string
  kind: 'model' | 'tool'
  request: JsonObject
}

/** What a call of a model would like to use. */
export type ModelWish = {
  model: PricedModel
  /** As people have set them for its provider. */
  prices: ModelPrices | undefined
  /** What the model will read: roughly, and what it cannot be more than. */
  inputTokens: number
  inputTokensMax: number
  /** What it may write; null: as much as it likes. */
  outputTokens: number | null
  /** What it reads may be kept for an hour, which costs more. */
  isKeptAnHour?: boolean
}

/** What a step did; stored together with the log entries that tell of it. */
export type Outcome<T extends Json> = { response: T; entries: Entry[]; usage?: Usage }

/** What an engine asks of people. */
export type Ask = {
  /** As of an `Intent`. */
  key: string
  /** `plan`: may it be carried out? Answered `approve`, or with what is to change. */
  kind: 'question' | 'plan'
  text: string
  /** Answers to choose from; people may give another. */
  options?: string[]
  /** Shown with the answer. */
  thought?: string | null
}

/**
 * A finished step, or one that was begun and whose outcome is not known (`response` undefined). The response of an `ask`
 * is `{ answer }`.
 */
export type PastStep = {
  key: string
  kind: 'model' | 'tool' | 'ask'
  turn: number
  request: JsonObject
  response: Json | undefined
}

/** An image that somebody sent along; its bytes are read where a model is to see it. */
export type Image = { sha256: string; mediaType: string }

/** What somebody said to the run. */
export type Message = { text: string; images: Image[] }

/** A tool of an MCP server. All of it but `server` is in that server's words, and bounded. */
export type McpTool = {
  /** As models call it: `mcp__server__tool`. */
  name: string
  server: string
  /** As the server calls it. */
  tool: string
  description: string
  inputSchema: JsonObject
}

/** What is stored of the servers of a turn: their tools stay the same until it ends. */
export type McpListing = {
  tools: McpTool[]
  /** `fault`: why it has none; `leftOut`: tools that cannot be offered, and why. */
  servers: { name: string; fault: string | null; leftOut: string[] }[]
}

export type McpAnswer = { text: string; image: { mediaType: string; base64: string } | null; isError: boolean }

export type McpServers = {
  /** Asks all servers for their tools. One that fails has none. Rejects only when the signal is aborted. */
  list(signal: AbortSignal): Promise<McpListing>
  /** A server that fails is an answer too. Rejects only when the signal is aborted. */
  call(request: { server: string; tool: string; input: JsonObject }, signal: AbortSignal): Promise<McpAnswer>
}

/** A run that the agent of another has started, as that one sees it. */
export type ChildRun = {
  id: number
  title: string | null
  status: 'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled'
  statusDetail: string | null
  hasEnded: boolean
  /** Of its last completed turn. */
  result: string | null
  error: string | null
  pulls: { url: string; state: string }[]
}

/** What a request for a child run may be refused for. Its message is for the model. */
export class ChildRunRefused extends Error {
  override readonly name = 'ChildRunRefused'
}

export type ChildRuns = {
  /** Starts a run for the person of this one; once for its key, however often it is called. Throws `ChildRunRefused`. */
  start(request: { key: string; prompt: string; title: string | null; repository: string | null }): Promise<ChildRun>
  /**
   * How they stand; all where none is named. With `waitMinutes`, once all have ended, or that time is over, or somebody
   * has written to this run: until then it waits without a worker, as for `ask`, and the call throws `signal.reason`. Throws `ChildRunRefused`.
   */
  read(request: { key: string; runIds: number[] | null; waitMinutes: number | null }): Promise<ChildRun[]>
}

/** What happened in the run so far, oldest first: what people said, and steps. */
export type Past =
  | ({ type: 'message'; turn: number } & Message)
  | { type: 'step'; turn: number; step: PastStep }
  | { type: 'turn_ended'; turn: number; result: string | null }
  /**
   * The files are older than what was done: what these steps changed in them is lost. `text` says so to an agent.
   * `hasHomes`: what agents had written to their homes by then is there again.
   */
  | { type: 'restored'; turn: number; text: string; lost: string[]; hasHomes?: boolean }

/** How work is to be done, besides what the prompt says; null: nothing was written down. */
export type Rules = {
  organization: string | null
  person: string | null
  /** Whether those that lie in the repository (`AGENTS.md`, `CLAUDE.md`) count too. */
  areDetected: boolean
}

/** How a repository's people word their pull requests. */
export type PullHabits = {
  /** What they are to be filled into, as the repository holds it; null: it holds none. */
  template: string | null
  /** Whether its commits are called as Conventional Commits are: `fix(cart): round prices`. */
  areConventional: boolean
}

export type SecretName = { name: string; isEverywhere: boolean }

/** What people may change while a turn runs. */
export type TurnSettings = {
  /** In the order in which they are asked; none: the operator's. */
  models: readonly string[]
  effort: Effort | null
  /** How often the turn may ask a model; null: as often as the operator says. */
  maxModelCalls: number | null
  /** The organization's own, as they are now. */
  providers?: OwnProviders
  /** False: there is nothing for `takeMessages`. */
  hasMessages?: boolean
}

export interface Turn {
  readonly organizationId: number
  readonly runId: number
  /** 1 for the first. */
  readonly number: number
  /** What started this turn. */
  readonly prompt: string
  readonly metadata: JsonObject | null
  readonly rules: Rules
  /** What the answer is to hold as JSON, whole or in its last fenced block; null when nothing was asked for. */
  readonly outputSchema: JsonObject | null
  /** Whether people are to approve the plan, as a question of kind `plan`, before anything is changed. */
  readonly planApproval: boolean
  /** Null for a run without a repository; its workspace is then an empty repository. */
  readonly repository: TurnRepository | null
  /** Of the repository, for engines that change files one by one. */
  readonly hooks?: Hooks
  readonly sandbox: Sandbox
  /** Names of the secrets that a command may be given (`ExecRequest.secrets`), and whether all have it anyway. */
  readonly secrets: readonly SecretName[]
  /** Aborted when the turn must end at once: a stop, a lost lease, a shutdown, a pause, a question, a limit of the run. */
  readonly signal: AbortSignal
  /** Everything before this call of the engine; this turn's part is empty unless a worker was lost. */
  readonly past: readonly Past[]
  /**
   * Does one thing durably: stores the intent, calls `act`, stores its outcome and log entries in one transaction.
   * A step whose key is finished is not done again; its stored response is returned. One that was begun when a worker
   * was lost goes to `interrupted` if given (its effect is unknown and must not be repeated), else it is done again and
   * its entries are marked `repeated`. Throws `signal.reason` when the turn must end. What `act` throws passes through
   * and stores nothing but the begun step.
   */
  step<T extends Json>(
    intent: Intent,
    act: (signal: AbortSignal) => Promise<Outcome<T>>,
    options?: {
      interrupted?: () => Outcome<T>
      /** The entries that tell of a response, for who replays it without doing it. */
      entriesOf?: (response: T) => Entry[]
    },
  ): Promise<T>
  /**
   * Before each try of a model, within a step: takes the money that it may cost, which the step gives back once what it used is
   * stored. Answers how much the model may write; null: as much as it likes. Throws `signal.reason` where nothing is left.
   */
  takeMoney(wish: ModelWish): Promise<number | null>
  /**
   * Asks people, durably, and answers with what they said. While nobody has, the run waits without a worker: the call throws
   * `signal.reason`, and the engine is run anew when the answer is there. One question at a time, and not within a step.
   */
  ask(question: Ask): Promise<string>
  /** Log entries with no step of their own, such as a note or a fault that did not end the run. Durable, not repeated:
   *  the key makes a second call with it do nothing. */
  note(key: string, entries: Entry[]): Promise<void>
  /**
   * Shows those who follow the run a piece of what is being written, within a step. It is not stored and may be lost: the
   * step's entries, or the answer, hold the whole. Null takes back what was written of it in this step. `isBetween`: also after a
   * step, until the next one, for an engine whose agent goes on by itself.
   */
  write(kind: 'thought' | 'answer', piece: string | null, options?: { isBetween?: boolean }): void
  /** Messages that people sent since the last call, oldest first; each is logged as a USER_MESSAGE entry. */
  takeMessages(): Promise<Message[]>
  /** Runs that this one may start; none where it may not. */
  readonly children?: ChildRuns | undefined
  /** Whether the repository has tests that tools may run one by one; where it is not said, it is looked for. */
  readonly hasTests?: boolean
  /** The MCP servers that this run may use; none where there are none. */
  readonly mcp?: McpServers | undefined
  /** Names that the network refused to the sandbox in the last milliseconds, because nobody allows them. */
  listRefusals?(sinceMs: number): Promise<{ name: string; count: number }[]>
  /** What the run says now of its models. Asked before each model call: people may change it while the turn runs. */
  readSettings(): Promise<TurnSettings>
  readImage(image: Image): Promise<Buffer>
}

/** What was done about one comment, by the number that the prompt gives it; `resolved`: nothing is left to do about it. */
export type CommentReply = { comment: string; text: string; resolved: boolean }

/** A command that an engine names as a check of its work, as the log knows it. */
export type Evidence = {
  command: string
  /** Name of the step that ran it after the last edit, such as `t1-3.1`; null: none did. */
  step: string | null
  /** Null: it was killed, or did not run. */
  exitCode: number | null
  seconds: number | null
}

/** What a turn works on. */
export type TurnRepository = {
  name: string
  branch: string
  baseBranch: string
  habits?: PullHabits | null
  /** The commands that check its commits; `path`: the folder in which one is run. */
  checks?: readonly { name: string; command: string; path?: string }[]
}

/** How a turn ends well. `thought` goes into the FINAL_ANSWER entry; `title` and `body` into the pull request. */
export type Answer = {
  answer: string
  thought?: string | null
  summary?: string | null
  title?: string | null
  body?: string | null
  /** The work is a proposal, of which the engine is not sure: its pull request stays a draft until a person takes it. */
  isDraft?: boolean
  replies?: CommentReply[]
  /** The commands that the engine names as what checked its work. */
  checks?: Evidence[]
  /** What `outputSchema` asks for; it fits. Where an engine gives none, it is looked for in `answer`. */
  output?: Json
}

/** Codes of `error.code` of a failed run that engines may end with. */
export type EngineErrorCode =
  | 'no_model'
  | 'model_error'
  | 'context_overflow'
  | 'refused'
  | 'stuck'
  | 'max_steps_reached'
  | 'no_end'
  | 'output_invalid'
  | 'timeout'
  | 'sandbox_lost'
  | 'disk_full'
  | 'no_tests_found'
  | 'no_failing_test'
  | 'no_fix_found'
  | 'setup_not_found'
  | 'setup_failed'
  | 'not_supported'
  | 'engine_error'

/** How a turn ends badly: the run fails with this code, and this message is its ERROR entry. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: EngineErrorCode
  readonly retryable: boolean
  constructor(code: EngineErrorCode, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
  }
}

export type Availability = { available: boolean; reason: string | null }

/** Programs of an engine that are no part of Runwright and are installed on each machine. */
export type EnginePackage = {
  /** The newest that was tried, in words. */
  newest: string
  /** What this machine has, in such words; null: nothing that can be used. */
  findInstalled(): string | null
  /** Installs the newest. Rejects with what an operator can do; what was there before then stays. */
  install(): Promise<void>
}

export interface Engine {
  /** As in `agent_type`: `builtin`, `repair`, `scripted`. */
  readonly name: string
  /** As people know it, where that is another name. */
  readonly title?: string
  readonly package?: EnginePackage
  /** For an organization that has a model provider of its own, or one that has none. */
  availability(hasOwnModels?: boolean): Availability
  /** It is for runs that the service makes itself; nobody is offered it. */
  readonly isUnlisted?: boolean
  /** Folders of this machine that its sandboxes show read-only, by name. */
  readonly mounts?: Readonly<Record<string, string>>
  /** Whether it has a use for MCP servers. */
  readonly usesMcp?: boolean
  /** All its steps may be done again, and do the same on the same files: those whose changes were lost are done anew. */
  readonly redoesSteps?: boolean
  /**
   * Whether this turn may use its sandbox; yes when not given. Where it does not, and the run has no repository, none is
   * made. Rejects with an `EngineError` for a turn that it cannot drive.
   */
  readonly needsSandbox?: (turn: Pick<Turn, 'metadata' | 'number'>) => Promise<boolean>
  /** Drives one turn. Rejects with an `EngineError` (the run fails), or with the turn's `signal.reason`. */
  run(turn: Turn): Promise<Answer>
}
