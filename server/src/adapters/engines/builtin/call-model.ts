import {
  APICallError,
  generateText,
  jsonSchema,
  tool,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  type ToolSet,
  wrapLanguageModel,
  zodSchema,
} from 'ai'
import { z } from 'zod'
import { EngineError, type McpTool, type Turn } from '#adapters/engines/engine.ts'
import type { Entry } from '#base/entry.ts'
import type { JsonObject } from '#base/json.ts'
import type { Effort } from '#base/models/effort.ts'
import { baseUrlOf, wordsOf } from '#base/models/model-providers.ts'
import type { TokenCounts } from '#base/models/price-usage.ts'
import { readCounts, type Wire } from '#base/models/read-event.ts'
import { addCounts, noCounts } from './add-counts.ts'
import type { ChosenModel } from './choose-model.ts'
import type { ModelAnswer } from './conversation.ts'
import { estimateMessages, IMAGE_TOKENS_MAX, sizeOf } from './estimate-tokens.ts'
import { explainCall } from './explain-call.ts'
import { withExchange, type Exchange } from './fetch-model.ts'
import { modelDefaults, type ModelOptions } from './model-options.ts'
import type { ClockAndChance } from './clock-and-chance.ts'
import { markInstructions, markNewest } from './mark-cached.ts'
import { hasImages, placeImages, stripImages } from './place-images.ts'
import { Flood, readFault, Silence, type Fault } from './read-fault.ts'
import { effortOf, findRefusedOption, forgetOption, isClaude, keptAnHour } from './refused-options.ts'
import { isUnstreamed, streamAnswer } from './stream-answer.ts'
import { hasReasoning, mayRefuseReasoning, stripReasoning } from './strip-reasoning.ts'
import { offerTools, usableTools } from './tools/all-tools.ts'
import { mcpTool } from './tools/mcp-tool.ts'
import { finishTool } from './tools/finish.ts'

/** Anthropic wants to be told how long an answer may be. Its own models write that much or, as the library knows, less. */
const CLAUDE_OUTPUT_TOKENS = 32_000
const OTHER_OUTPUT_TOKENS = 16_000
const WAIT_MS_MAX = 60_000
/** Longer waits are told in the log. */
const QUIET_WAIT_MS = 10_000
/** How long, and how often, a model is tried again where there is another one. */
const NEXT_AFTER_MS = 60_000
const NEXT_AFTER_TRIES = 5

export type ModelCall = {
  turn: Turn
  options: ModelOptions
  outside: ClockAndChance
  chosen: ChosenModel
  /** The step's key; notes of waits are named after it. */
  key: string
  system: string
  messages: ModelMessage[]
  withTools: boolean
  mcpTools?: readonly McpTool[]
  /** The repository's tests can be run one by one. */
  hasTests?: boolean
  /** It has refused images before. */
  isBlind?: boolean
  /** How much it shall think; null: as it does where nobody has chosen. Left out: as its provider has it. */
  effort?: Effort | null
  /** Another model is asked where this one cannot be: then it is not waited for long. */
  hasNext?: boolean
  /** What it has read is likely to be read again after more than five minutes, and within an hour. */
  isKeptAnHour?: boolean
}

export type CalledModel = { answer: ModelAnswer; usage: TokenCounts | null; entries: Entry[] }

/** Asks the model once, and again as long as it may still answer. Rejects with an `EngineError`. */
export async function callModel(call: ModelCall, signal: AbortSignal): Promise<CalledModel> {
  const { options, outside, chosen } = call
  const patienceMs = Math.min(options.patienceMs ?? modelDefaults.patienceMs, call.hasNext ? NEXT_AFTER_MS : Infinity)
  // What was waited, and how long servers said nothing: an answer that is cut after 20 minutes may be asked for again.
  let spentMs = 0
  let spent: TokenCounts | null = null
  const tries = new Map<string, number>()
  const shownImages = !call.isBlind && hasImages(call.messages)
  let isBlind = call.isBlind === true
  let { messages } = call
  for (let attempt = 1; ; attempt++) {
    let fault: Fault
    let cause: unknown
    const seen: Seen = { counts: null, hasText: false }
    const begunAt = outside.clock.now().getTime()
    try {
      const asked = await askOnce({ ...call, messages, isBlind }, { seen, signal })
      const called = { ...asked, usage: addCounts(spent, asked.usage) }
      const plain = messages === call.messages ? called : withoutReasoning(called, chosen)
      return isBlind && shownImages ? withBlindness(plain, chosen) : plain
    } catch (error) {
      if (seen.hasText) call.turn.write('thought', null)
      signal.throwIfAborted()
      spent = addCounts(spent, seen.counts)
      if (!seen.hasText) spentMs += outside.clock.now().getTime() - begunAt
      cause = error
      fault = readFault(error, { options: chosen.options, chosen, now: outside.clock.now().getTime() })
    }
    if (fault.kind === 'overflow') return { answer: { model: chosen.name, ...overflow }, usage: spent, entries: [] }
    if (shownImages && !isBlind && mayRefuseImages(cause)) {
      isBlind = true
      continue
    }
    if (mayRefuseReasoning(cause) && hasReasoning(messages)) {
      messages = messages.map(stripReasoning).filter(({ content }) => content.length > 0)
      continue
    }
    const option = findRefusedOption(call, cause)
    if (option) {
      await forgetOption(call, option)
      continue
    }
    if (fault.kind === 'end') throw fault.error
    const tried = (tries.get(fault.what) ?? 0) + 1
    tries.set(fault.what, tried)
    const waitMs = Math.round(fault.waitMs ?? backoffMs(attempt, outside))
    const triesMax = Math.min(fault.triesMax, call.hasNext ? NEXT_AFTER_TRIES : Infinity)
    if (tried >= triesMax || spentMs + waitMs > patienceMs) throw givenUp(fault.error, attempt)
    if (waitMs > QUIET_WAIT_MS || cause instanceof Silence) await noteWait(call, { attempt, waitMs, what: fault.what })
    await outside.sleep(waitMs, signal)
    spentMs += waitMs
  }
}

/** A server seldom says what it refuses; without the images it either goes on, or says it again. */
function mayRefuseImages(error: unknown): boolean {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return false
  const { statusCode } = error
  const names = /image|vision|multi-?modal|media type/i.test(`${error.message} ${error.responseBody?.slice(0, 2_000)}`)
  return (
    statusCode === 400 || statusCode === 415 || statusCode === 422 || (statusCode !== 429 && statusCode >= 404 && names)
  )
}

function withBlindness({ answer, usage, entries }: CalledModel, { name }: ChosenModel): CalledModel {
  const thought = `The model ${name} refuses images: it was told so and goes on without them.`
  return {
    answer: { ...answer, isBlind: true },
    usage,
    entries: [{ messageType: 'PLAN_EVALUATION', thought }, ...entries],
  }
}

function withoutReasoning({ answer, usage, entries }: CalledModel, { name }: ChosenModel): CalledModel {
  const thought = `The model ${name} refuses what was thought before: it was asked without that, and goes on.`
  return {
    answer: { ...answer, dropsReasoning: true },
    usage,
    entries: [{ messageType: 'PLAN_EVALUATION', thought }, ...entries],
  }
}

/** What came of a try, whether or not it ended well. */
type Seen = { counts: TokenCounts | null; hasText: boolean }
type Try = { seen: Seen; signal: AbortSignal }

async function askOnce(call: ModelCall, { seen, signal }: Try): Promise<CalledModel> {
  const { options } = call
  const silenceMs = (options.silenceMs ?? modelDefaults.silenceMs) * (isUnstreamed(placeOf(call)) ? 3 : 1)
  const answerMs = options.answerMs ?? modelDefaults.answerMs
  const end = new AbortController()
  const sayEnd = (message: string) => () => end.abort(new Silence(message))
  const bytesMax = options.answerBytes ?? modelDefaults.answerBytes
  let bytes = 0
  const silence = setTimeout(sayEnd(`no answer for ${silenceMs / 1000} s`), silenceMs)
  const whole = setTimeout(sayEnd(`no end of its answer for ${answerMs / 1000} s`), answerMs)
  const onBytes = (count: number) => {
    silence.refresh()
    bytes += count
    if (bytes > bytesMax) end.abort(new Flood(bytesMax))
  }
  const exchange: Exchange = { isStreamed: true, onBytes }
  try {
    return await withExchange(exchange, () =>
      generate(call, { seen, exchange, signal: AbortSignal.any([signal, end.signal]) }),
    )
  } catch (error) {
    throw end.signal.aborted ? end.signal.reason : error
  } finally {
    clearTimeout(silence)
    clearTimeout(whole)
    end.abort()
  }
}

const placeOf = ({ chosen }: ModelCall) => `${baseUrlOf(chosen.options, chosen.provider)} ${chosen.name}`

function streamed(call: ModelCall, { seen, exchange }: Try & { exchange: Exchange }): LanguageModel {
  const { chosen, turn, withTools } = call
  const { provider, isChat } = chosen
  const wire: Wire = provider === 'openai' ? (isChat ? 'chat' : 'responses') : provider
  const middleware = streamAnswer({
    place: placeOf(call),
    exchange,
    onText: (piece) => {
      if (!withTools) return
      seen.hasText = true
      turn.write('thought', piece)
    },
    onEvent: (event) => {
      const { counts } = readCounts(wire, event)
      if (Object.keys(counts).length > 0) seen.counts = { ...noCounts, ...seen.counts, ...counts }
    },
  })
  return wrapLanguageModel({ model: chosen.languageModel as Exclude<LanguageModel, string>, middleware })
}

async function generate(call: ModelCall, attempt: Try & { exchange: Exchange }): Promise<CalledModel> {
  const { chosen, messages, system, withTools, turn } = call
  const isAnthropic = chosen.provider === 'anthropic'
  const readable = call.isBlind ? stripImages(messages) : chosen.isChat ? placeImages(messages) : messages
  const outputTokens = !isAnthropic ? null : isClaude(chosen.id) ? CLAUDE_OUTPUT_TOKENS : OTHER_OUTPUT_TOKENS
  const isKeptAnHour = keptAnHour(call)
  const wish = { model: chosen, prices: chosen.options.prices, outputTokens, isKeptAnHour, ...inputOf(call) }
  const allowed = (await turn.takeMoney(wish)) ?? outputTokens
  const effort = effortOf(call)
  const result = await generateText({
    model: streamed(call, attempt),
    instructions: isAnthropic ? markInstructions(system, { isKeptAnHour }) : system,
    messages: isAnthropic ? markNewest(readable, { isKeptAnHour }) : readable,
    ...(withTools ? toolsFor(call) : {}),
    ...(allowed === null ? {} : { maxOutputTokens: allowed }),
    ...(!chosen.isChat ? { providerOptions: { openai: { store: false, promptCacheKey: `run-${turn.runId}` } } } : {}),
    // Anthropic's older models think beyond what an answer may be long, which is more than the money that is left allows.
    ...(effort === undefined || (isAnthropic && allowed !== outputTokens) ? {} : { reasoning: effort }),
    maxRetries: 0,
    abortSignal: attempt.signal,
  })
  const [step] = result.steps
  if (!step) throw new EngineError('engine_error', 'The model library gave no step.')
  const thought = [step.reasoningText, step.text].filter((text) => text?.trim()).join('\n\n') || null
  const malformed = step.toolCalls.filter((made) => made.invalid)
  const valid = step.toolCalls.filter((made) => !made.invalid)
  const known = [
    ...usableTools(turn, chosen, call.hasTests ?? false),
    ...(call.mcpTools ?? []).map((each) => mcpTool(each, undefined)),
  ]
  const reasons = new Map(
    malformed.map((made) => [made.toolCallId, explainCall({ name: made.toolName, input: made.input }, known)]),
  )
  const answer: ModelAnswer = {
    model: chosen.name,
    end: endOf(step.finishReason, step.rawFinishReason),
    messages: withReasons(result.responseMessages, reasons),
    text: step.text,
    thought,
    calls: valid.map((made, index) => ({
      id: made.toolCallId,
      name: made.toolName,
      input: made.input as JsonObject,
      thought: index === 0 ? thought : null,
    })),
    malformedCalls: malformed.length,
    inputTokens: step.usage.inputTokens ?? 0,
    outputTokens: step.usage.outputTokens ?? 0,
  }
  return {
    // Exactly what will be read back after a crash: without what JSON does not keep.
    answer: JSON.parse(JSON.stringify(answer)) as ModelAnswer,
    usage: countsOf(step.usage),
    entries: malformed.map((made, index) => ({
      messageType: 'ERROR',
      thought: index === 0 && valid.length === 0 ? thought : null,
      toolName: made.toolName,
      toolInput: asObject(made.input),
      observation: reasons.get(made.toolCallId) ?? String(made.error),
    })),
  }
}

/** Calls that no tool can take are answered by the library already, in its own words. */
function withReasons(messages: ModelMessage[], reasons: Map<string, string>): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) => {
      const value = part.type === 'tool-result' ? reasons.get(part.toolCallId) : undefined
      return value === undefined ? part : { ...part, output: { type: 'error-text' as const, value: `Error: ${value}` } }
    })
    return { ...message, content: content as typeof message.content }
  })
}

/** What all tools are described by, and what a provider adds: more than that it is not. */
const TOKENS_BESIDE = 5_000
const TOKENS_BESIDE_MAX = 40_000

function inputOf({ system, messages, turn, mcpTools = [] }: ModelCall): {
  inputTokens: number
  inputTokensMax: number
} {
  const { bytes, images } = sizeOf(messages)
  const beside = system + JSON.stringify([turn.outputSchema ?? '', mcpTools])
  return {
    inputTokens: estimateMessages(messages) + Math.ceil(beside.length / 3.5) + TOKENS_BESIDE,
    inputTokensMax: bytes + Buffer.byteLength(beside) + images * IMAGE_TOKENS_MAX + TOKENS_BESIDE_MAX,
  }
}

function countsOf({ inputTokens, outputTokens, inputTokenDetails: cached, raw = {} }: LanguageModelUsage): TokenCounts {
  return {
    inputTokens: inputTokens ?? 0,
    cacheReadTokens: cached.cacheReadTokens ?? 0,
    cacheWriteTokens: cached.cacheWriteTokens ?? 0,
    // The library leaves this one where the provider has it.
    cacheWriteHourTokens: readCounts('anthropic', { usage: raw as JsonObject }).counts.cacheWriteHourTokens ?? 0,
    outputTokens: outputTokens ?? 0,
  }
}

/** No `execute`: we run the calls ourselves, each one as a step. */
function toolsFor({ turn, chosen, mcpTools = [], hasTests }: ModelCall): { tools: ToolSet; toolOrder: string[] } {
  const offered = offerTools(turn, chosen, hasTests)
  const tools: ToolSet = {}
  for (const { name, description, schema } of offered) {
    const inputSchema = schema instanceof z.ZodType ? described(schema) : jsonSchema(schema, { validate: readFinish })
    tools[name] = tool({ description, inputSchema })
  }
  for (const { name, description, inputSchema } of mcpTools)
    tools[name] = tool({ description, inputSchema: jsonSchema(inputSchema, { validate: readObject }) })
  return { tools, toolOrder: [...offered, ...mcpTools].map(({ name }) => name) }
}

const descriptions = new WeakMap<z.ZodType, ReturnType<typeof zodSchema>>()

/** With its description as JSON, which the library would make anew for each request. */
function described(schema: z.ZodType): ReturnType<typeof zodSchema> {
  const known = descriptions.get(schema) ?? zodSchema(schema)
  descriptions.set(schema, known)
  return known
}

/** Whether its result fits, or was asked for, is for the call itself to say: the model is told of it as of other doubts. */
function readFinish(input: unknown) {
  const read = finishTool.schema.safeParse(input)
  return read.success ? { success: true as const, value: read.data } : { success: false as const, error: read.error }
}

/** What the arguments hold is for the server to check. */
function readObject(input: unknown) {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  if (isObject) return { success: true as const, value: input }
  return { success: false as const, error: new Error('The arguments are no object.') }
}

const overflow: Omit<ModelAnswer, 'model'> = {
  end: 'overflow',
  messages: [],
  text: '',
  thought: null,
  calls: [],
  malformedCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
}

function endOf(reason: string, raw: string | undefined): ModelAnswer['end'] {
  if (raw === 'model_context_window_exceeded') return 'overflow'
  if (reason === 'content-filter') return 'refused'
  return reason === 'length' || reason === 'interrupted' ? 'cut_off' : 'answered'
}

function backoffMs(attempt: number, outside: ClockAndChance): number {
  return Math.min(WAIT_MS_MAX, 1_000 * 2 ** (attempt - 1)) * (0.7 + 0.6 * outside.random())
}

function givenUp(error: EngineError, attempt: number): EngineError {
  const message = attempt === 1 ? error.message : `${error.message} Given up after ${attempt} tries.`
  return new EngineError(error.code, message, { retryable: error.retryable })
}

async function noteWait(
  { turn, key, chosen }: ModelCall,
  wait: { attempt: number; waitMs: number; what: string },
): Promise<void> {
  const { title } = wordsOf(chosen.options, chosen.provider)
  const when = wait.waitMs < 1_000 ? 'now' : `in ${Math.round(wait.waitMs / 1000)} s`
  const thought = `${title} is not answering (${wait.what}); trying again ${when}.`
  await turn.note(`${key}/wait/${wait.attempt}`, [{ messageType: 'PLAN_EVALUATION', thought }])
}

function asObject(value: unknown): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return JSON.parse(JSON.stringify(isObject ? value : { value: value ?? null })) as JsonObject
}
