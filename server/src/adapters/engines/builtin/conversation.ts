import { describePlan } from './describe-plan.ts'
import { isApproval } from './is-approval.ts'
import type { ModelMessage, UserModelMessage } from 'ai'
import type { Image, McpListing, Message } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { addResult } from './add-result.ts'
import { changedBy, isChange } from './changed-by.ts'
import type { Sent } from './describe-basis.ts'
import type { Rule, RuleBook } from './find-rules.ts'
import { estimateMessages } from './estimate-tokens.ts'
import { dropReasoning } from './strip-reasoning.ts'
import { takeCommand, takeEdit, takeSession, type RunningSession } from './take-command.ts'
import { takeWait } from './take-wait.ts'
import { askUserTool } from './tools/ask-user.ts'
import type { EditState, RanCommand, ToolResult } from './tools/tool.ts'

/** So often in a row a model may look at sessions that say nothing, before it counts as going round in circles. */
const QUIET_POLLS_MAX = 30

/** Why the service itself speaks to the model. */
export type NoticeReason = 'go_on' | 'cut_off' | 'empty' | 'stuck'

/** What a model is told besides the results of its calls: words of people, and notices of ours. */
export type Said = { reason: NoticeReason | null; text: string; images?: Image[] }

/** What is stored before a model is asked. `seal` stands in the marks around texts from outside, until the next turn. */
export type ModelRequest = {
  model: string
  said: Said[]
  seal?: string
  /** Files of rules that it gives, with their characters. */
  rules?: [path: string, characters: number][]
} & Sent

/** A call of a tool that the model made and we shall run. */
export type Call = { key: string; id: string; name: string; input: JsonObject; thought: string | null }

/** What is stored of a model's answer. `messages` goes back to the model as it is. */
export type ModelAnswer = {
  /** Which model it is that answered. */
  model: string
  end: 'answered' | 'cut_off' | 'overflow' | 'refused'
  messages: ModelMessage[]
  text: string
  thought: string | null
  calls: Omit<Call, 'key'>[]
  /** Calls that no tool could take; the messages hold their answers. */
  malformedCalls: number
  /** It refused the images of the question. */
  isBlind?: boolean
  /** What models had thought before was refused, and is told to none of them again. */
  dropsReasoning?: boolean
  inputTokens: number
  outputTokens: number
}

/** What is stored of a tool call. */
export type CallResult = ToolResult & {
  /** Rules of the repository for what the call touched, which the model had not been given. */
  rules?: Rule[]
}

/** What is stored of a compaction. Indexes are of the messages before it. */
export type Compaction = { leaveOutBefore: number; summary: { keepFrom: number; text: string } | null }

/** One call and how it went, as far as going round in circles can be told from it. */
export type Deed = {
  call: string
  result: string
  isError: boolean
  timedOut: boolean
  editedPaths: string[]
  tool: string
}

/** Everything that the next decision hangs on. It follows from the stored steps alone, so a crash loses nothing of it. */
export type Conversation = {
  turn: number
  messages: ModelMessage[]
  /** Of this turn; null before its first question. */
  seal: string | null
  /** Which model made each assistant message. */
  authors: WeakMap<ModelMessage, string>
  rules: RuleBook
  /** Those of the first message, which stays. */
  openingRules: [path: string, characters: number][]
  /** Models that have refused images. */
  blind: Set<string>
  /** Tools of MCP servers; of this turn. */
  mcp: McpListing | null
  /** Whether there are tests that tools can run; null before it was looked for in this turn. */
  hasTests: boolean | null
  /** What people said since the model was last asked. */
  unsent: Message[]
  /** Among them is that files are lost: whatever the model has decided before it hears that is no end of its work. */
  hasUntoldLoss: boolean
  /** A question to the model that was stored, and not answered. */
  begun: ModelRequest | null
  /** Calls of the newest answer that have no result yet, in order. */
  pending: Call[]
  /** Of this turn. */
  modelSteps: number
  compactions: number
  /** Tokens of all messages before `countedTo`, as the provider counted them. */
  countedTokens: number
  countedTo: number
  /** Bytes of stored answers and results of the whole run. */
  bytes: number
  seen: Map<string, string>
  /** Since a person last spoke or the model was last warned. */
  deeds: Deed[]
  warnings: number
  /** In a row. */
  overflows: number
  refusals: number
  answersWithoutValidCall: number
  /** The newest answer held calls that no tool could take, and says so. */
  hasMalformedCalls: boolean
  answersCutOff: number
  /** Answers in a row that were text alone. */
  textsInRow: number
  editState: EditState
  /** Of this turn, oldest first. */
  commands: RanCommand[]
  /** That ran when they were last heard of, by name. */
  sessions: Map<string, RunningSession>
  /** How often in a row a session was looked at that said nothing. */
  quietPolls: number
  /** How long the calls of the newest answer have taken, as far as they say so. */
  callSeconds: number
  /** It has waited in a way that comes again: for a long command, or for runs that it has started. Of the whole run. */
  hasWaited: boolean
  /** Steps of the plan that are not done. */
  openSteps: string[]
  /** `finish` was refused before in this turn. */
  wasRefused: boolean
  /** How often because of the repository's hooks. */
  hookRefusals: number
  /** How often its `output` did not fit. */
  outputsRefused: number
  /** The newest answer was text alone. */
  spoke: { text: string; thought: string | null } | null
  lastEnd: ModelAnswer['end']
  lastText: string
  finished: { output: JsonObject; thought: string | null } | null
  /** A plan of this turn that people have not seen yet: its question, and the key to ask it under. */
  proposal: { key: string; text: string } | null
  isPlanApproved: boolean
}

export function startConversation(): Conversation {
  return {
    turn: 0,
    messages: [],
    seal: null,
    authors: new WeakMap(),
    blind: new Set(),
    openingRules: [],
    rules: { given: new Map(), looked: new Set(), waiting: [] },
    mcp: null,
    hasTests: null,
    unsent: [],
    hasUntoldLoss: false,
    begun: null,
    pending: [],
    modelSteps: 0,
    compactions: 0,
    countedTokens: 0,
    countedTo: 0,
    bytes: 0,
    seen: new Map(),
    deeds: [],
    warnings: 0,
    overflows: 0,
    refusals: 0,
    answersWithoutValidCall: 0,
    hasMalformedCalls: false,
    answersCutOff: 0,
    textsInRow: 0,
    editState: 'unedited',
    commands: [],
    sessions: new Map(),
    quietPolls: 0,
    callSeconds: 0,
    hasWaited: false,
    openSteps: [],
    wasRefused: false,
    hookRefusals: 0,
    outputsRefused: 0,
    spoke: null,
    lastEnd: 'answered',
    lastText: '',
    finished: null,
    proposal: null,
    isPlanApproved: false,
  }
}

/** What an earlier turn left open is answered here, so that every call has its result. */
export function beginTurn(conversation: Conversation, turn: number): void {
  for (const call of conversation.pending) {
    const text =
      call.name === askUserTool.name
        ? 'Error: nobody answered; the person sent another message instead.'
        : 'Error: the turn was ended before this call was done; its effect is unknown. Check before you go on.'
    addResult(conversation, call, { text, output: {}, isError: true })
  }
  if (conversation.begun) say(conversation, conversation.begun)
  Object.assign(conversation, {
    turn,
    seal: null,
    mcp: null,
    hasTests: null,
    begun: null,
    pending: [],
    modelSteps: 0,
    compactions: 0,
    deeds: [],
    warnings: 0,
    overflows: 0,
    refusals: 0,
    answersWithoutValidCall: 0,
    hasMalformedCalls: false,
    answersCutOff: 0,
    textsInRow: 0,
    commands: [],
    sessions: new Map(),
    quietPolls: 0,
    openSteps: [],
    wasRefused: false,
    hookRefusals: 0,
    outputsRefused: 0,
    spoke: null,
    lastEnd: 'answered',
    lastText: '',
    finished: null,
    proposal: null,
    isPlanApproved: false,
  } satisfies Partial<Conversation>)
}

/** The messages that a request adds. Their images are named only; `withImages` puts the bytes in their place. */
export function saidMessages(request: ModelRequest): UserModelMessage[] {
  return request.said.map(({ text, images = [] }) => {
    if (!images.length) return { role: 'user', content: text }
    const files = images.map(({ sha256, mediaType }) => ({ type: 'file' as const, mediaType, data: sha256 }))
    return { role: 'user', content: [{ type: 'text', text }, ...files] }
  })
}

export function takeAnswer(conversation: Conversation, request: ModelRequest, answer: ModelAnswer): void {
  say(conversation, request)
  conversation.begun = null
  conversation.modelSteps++
  conversation.lastEnd = answer.end
  conversation.lastText = answer.text
  if (answer.isBlind) conversation.blind.add(answer.model)
  conversation.hasMalformedCalls = answer.malformedCalls > 0
  conversation.spoke = null
  conversation.overflows = answer.end === 'overflow' ? conversation.overflows + 1 : 0
  conversation.refusals = answer.end === 'refused' ? conversation.refusals + 1 : 0
  if (answer.end === 'overflow' || answer.end === 'refused') return
  if (answer.dropsReasoning) dropReasoning(conversation)
  conversation.callSeconds = 0
  for (const message of answer.messages) {
    conversation.authors.set(message, answer.model)
    conversation.messages.push(message)
  }
  // Some servers count nothing, or less than nothing.
  const isCounted = answer.inputTokens > 0 && answer.outputTokens >= 0
  conversation.countedTokens = isCounted
    ? answer.inputTokens + answer.outputTokens
    : estimateMessages(conversation.messages)
  conversation.countedTo = conversation.messages.length
  conversation.bytes += sizeOf(answer.messages)
  const prefix = `t${conversation.turn}/tool/${conversation.modelSteps}`
  conversation.pending = answer.calls.map((call, index) => ({ key: `${prefix}.${index + 1}`, ...call }))
  conversation.answersCutOff = answer.end === 'cut_off' ? conversation.answersCutOff + 1 : 0
  const isText = answer.end === 'answered' && answer.text.trim() !== '' && answer.malformedCalls === 0
  const isValid = answer.calls.length > 0 || isText
  conversation.answersWithoutValidCall = isValid ? 0 : conversation.answersWithoutValidCall + 1
  if (answer.calls.length > 0) conversation.textsInRow = 0
  else if (isText) {
    conversation.spoke = { text: answer.text, thought: answer.thought }
    conversation.textsInRow++
  }
}

export function takeResult(conversation: Conversation, call: Call, result: CallResult): void {
  addResult(conversation, call, result)
  conversation.pending = conversation.pending.filter((other) => other.key !== call.key)
  conversation.bytes += sizeOf(result)
  for (const rule of result.rules ?? []) conversation.rules.given.set(rule.path, rule.text.length)
  for (const { path, hash } of [result.seen ?? []].flat()) conversation.seen.set(path, hash)
  takeWait(conversation, call, result)
  const editedPaths = changedBy(call, result)
  // Of what a lost worker had begun nobody knows whether it was done.
  const isUnknown = isChange(call.name) && result.output['interrupted'] === true
  if (editedPaths.length > 0 || isUnknown) takeEdit(conversation)
  if (call.name === 'shell' && !result.isError) takeCommand(conversation, call, result.output)
  if (call.name === 'session' && !result.isError) takeSession(conversation, call, result.output)
  if (call.name === 'finish' && result.isError) {
    conversation.wasRefused = true
    if (result.output['output_faults']) conversation.outputsRefused++
    if (result.output['failed_hooks']) conversation.hookRefusals++
  }
  if (call.name === 'finish' && !result.isError) {
    conversation.finished = { output: result.output, thought: call.thought }
  }
  if (call.name === 'plan' && !result.isError) conversation.openSteps = openStepsOf(result.output)
  if (call.name === 'plan' && !result.isError && !conversation.isPlanApproved) {
    conversation.proposal = { key: `${call.key}/approval`, text: describePlan(result.output) }
  }
  // To wait for what runs is no going round in circles, unless it never says anything.
  const isWait = call.name === 'session' && result.output['running'] === true
  conversation.quietPolls = isWait && result.output['output'] === '' ? conversation.quietPolls + 1 : 0
  if (isWait && conversation.quietPolls <= QUIET_POLLS_MAX) return
  conversation.deeds.push({
    tool: call.name,
    call: `${call.name} ${JSON.stringify(call.input)}`,
    result: result.text,
    isError:
      result.isError === true || (typeof result.output['exit_code'] === 'number' && result.output['exit_code'] !== 0),
    timedOut: result.output['timed_out'] === true,
    editedPaths,
  })
}

/** What people said to the question of a call. */
export function takeReply(conversation: Conversation, call: Call, answer: string): void {
  takeResult(conversation, call, { text: answer, output: { answer } })
}

/** What people said to a plan. Whatever is not its approval says what is to change. */
export function takeApproval(conversation: Conversation, answer: string): void {
  conversation.proposal = null
  conversation.isPlanApproved = isApproval(answer)
  const guidance = conversation.isPlanApproved
    ? 'Your plan is approved. Carry it out.'
    : `Your plan is not approved yet. Call plan again with what is to change:\n\n${answer}`
  conversation.unsent.push({ text: guidance, images: [] })
}

function openStepsOf(output: JsonObject): string[] {
  return stepsOf(output).flatMap(({ text, status }) => (status === 'done' ? [] : [text]))
}

const stepsOf = (output: JsonObject) => (output['steps'] ?? []) as { text: string; status: string }[]

export function takeCompaction(conversation: Conversation, compaction: Compaction, messages: ModelMessage[]): void {
  conversation.messages = messages
  conversation.compactions++
  conversation.lastEnd = 'answered'
  conversation.countedTokens = 0
  conversation.countedTo = 0
  // What the model had read may be gone from its sight now.
  if (!compaction.summary) return
  conversation.seen.clear()
  conversation.rules = { given: new Map(conversation.openingRules), looked: new Set(), waiting: [] }
}

function say(conversation: Conversation, request: ModelRequest): void {
  conversation.seal = request.seal ?? null
  for (const [path, characters] of request.rules ?? []) conversation.rules.given.set(path, characters)
  conversation.openingRules.push(...(request.rules ?? []))
  conversation.messages.push(...saidMessages(request))
  conversation.bytes += sizeOf(request.said)
  for (const { reason } of request.said) {
    if (reason === 'stuck') conversation.warnings++
    if (reason === null) conversation.warnings = 0
    if (reason === null || reason === 'stuck') conversation.deeds = []
  }
  // What came after a question that was stored already goes with the next one.
  if (!conversation.begun) tellUnsent(conversation)
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length
}

/** What waited to be said is part of a question now. */
export function tellUnsent(conversation: Conversation): void {
  conversation.unsent = []
  conversation.hasUntoldLoss = false
}
