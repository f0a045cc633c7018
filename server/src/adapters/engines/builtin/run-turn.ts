import type { ModelMessage } from 'ai'
import { EngineError, type Answer, type Outcome, type Turn } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { priceUsage } from '#base/models/price-usage.ts'
import { shorten } from '#base/text/shorten.ts'
import { escapeInvisible } from '#base/text/escape-invisible.ts'
import { callModel } from './call-model.ts'
import { chooseModel, type ChosenModel } from './choose-model.ts'
import { compact, type CompactionCause } from './compact.ts'
import {
  saidMessages,
  takeAnswer,
  takeApproval,
  type Conversation,
  type ModelAnswer,
  type ModelRequest,
  type Said,
} from './conversation.ts'
import { describeBasis, digestOf } from './describe-basis.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { foldPast } from './fold-past.ts'
import { listMcpTools } from './list-mcp-tools.ts'
import { modelDefaults, type ModelOptions } from './model-options.ts'
import { findAnswer, findNotice } from './next-move.ts'
import { openingMessage } from './opening-message.ts'
import type { ClockAndChance } from './clock-and-chance.ts'
import { runCalls } from './run-calls.ts'
import { openSessions, type Sessions } from './tools/open-sessions.ts'
import { systemPrompt } from './system-prompt.ts'
import { withImages } from './with-images.ts'

/** Beyond this part of the model's window the conversation is made shorter. */
const FILL_MAX = 0.75
const HISTORY_BYTES_MAX = 25 * 1024 * 1024

type Work = {
  turn: Turn
  options: ModelOptions
  outside: ClockAndChance
  chosen: ChosenModel
  conversation: Conversation
}

/**
 * One turn: ask the model, run what it calls for, and so on until it finishes. Each question, with its answer, and each
 * call is a step of its own; all that is decided in between follows from the stored steps, so a worker that takes over
 * decides the same.
 */
export async function runTurn(
  turn: Turn,
  { options, outside }: { options: ModelOptions; outside: ClockAndChance },
): Promise<Answer> {
  let chosenModel = await turn.readModel()
  let chosen = await chooseModel(options, chosenModel, turn.signal)
  const conversation = foldPast(turn)
  await using stack = new AsyncDisposableStack()
  const sessions = openSessions()
  stack.defer(() => sessions.stopAll())
  for (;;) {
    const canSeeImages = chosen.canSeeImages && !conversation.blind.has(chosen.name)
    await runCalls(turn, conversation, { canSeeImages, sessions })
    const answer = findAnswer(conversation)
    if (answer) {
      await noteStopped(turn, conversation)
      return answer
    }
    tellLost(conversation, sessions)
    await askApproval(turn, conversation)
    const wantedNow = await turn.readModel()
    if (wantedNow !== chosenModel) chosen = await chooseModel(options, (chosenModel = wantedNow), turn.signal)
    const work: Work = { turn, options, outside, chosen, conversation }
    checkLimits(work)
    await listMcpTools(turn, conversation)
    await compactIfNeeded(work)
    await ask(work)
  }
}

async function noteStopped(turn: Turn, { sessions }: Conversation): Promise<void> {
  if (sessions.size === 0) return
  const commands = [...sessions].map(([id, { command }]) => `${id} (${shorten(command, 120)})`).join(', ')
  const thought = `Sessions that were still running are stopped with the turn: ${commands}.`
  await turn.note(`t${turn.number}/sessions`, [{ messageType: 'PLAN_EVALUATION', thought }])
}

/** Sessions live in one worker: those that another one started are gone. */
function tellLost(conversation: Conversation, { all }: Sessions): void {
  for (const id of conversation.sessions.keys()) {
    if (all.has(id)) continue
    conversation.sessions.delete(id)
    const text = `Session ${id} ended with its worker, which was lost or replaced. Start it again if you need it.`
    conversation.unsent.push({ text, images: [] })
  }
}

async function askApproval(turn: Turn, conversation: Conversation): Promise<void> {
  const { proposal } = conversation
  if (!turn.planApproval || !proposal) return
  const answer = await turn.ask({ ...proposal, kind: 'plan', options: ['approve'] })
  takeApproval(conversation, answer)
}

function checkLimits({ conversation, options }: Work): void {
  const stepsMax = options.stepsMax ?? modelDefaults.stepsMax
  if (conversation.modelSteps >= stepsMax) {
    throw new EngineError(
      'max_steps_reached',
      `The turn asked a model ${stepsMax} times without coming to an end. An operator can allow more: RUNWRIGHT_MODEL_CALLS.`,
    )
  }
  if (conversation.bytes > HISTORY_BYTES_MAX) {
    throw new EngineError('max_steps_reached', 'The run has grown beyond 25 MB of conversation: start a new one.')
  }
}

async function compactIfNeeded({ turn, options, outside, chosen, conversation }: Work): Promise<void> {
  const { lastEnd, overflows, refusals } = conversation
  if (overflows > 1) {
    throw new EngineError(
      'context_overflow',
      'The conversation does not fit into the model’s window, even when shortened.',
    )
  }
  if (refusals > 1) {
    throw new EngineError('refused', `The model refuses: ${conversation.lastText.trim() || 'it gives no reason'}`)
  }
  // What a worker was lost in is asked again as it was.
  if (conversation.begun) return
  const tokens = estimateTokens(conversation)
  const isFull = tokens > chosen.contextTokens * FILL_MAX
  const hasFailed = lastEnd === 'overflow' || lastEnd === 'refused'
  if (!isFull && !hasFailed) return
  const reason: CompactionCause['reason'] = !hasFailed ? 'window' : lastEnd === 'overflow' ? 'overflow' : 'refusal'
  const call = { turn, options, outside, chosen }
  await compact({ turn, conversation, call, cause: { reason, tokens } })
}

async function ask(work: Work): Promise<void> {
  const { turn, chosen, conversation } = work
  const request = conversation.begun ?? (await composeRequest(work))
  const key = `t${turn.number}/model/${conversation.modelSteps + 1}`
  const act = async (signal: AbortSignal): Promise<Outcome<ModelAnswer & JsonObject>> => {
    const messages = await withImages(turn, [...forModel(conversation, chosen), ...saidMessages(request)])
    const isBlind = conversation.blind.has(chosen.name)
    const mcpTools = conversation.mcp?.tools ?? []
    const system = systemPrompt({ ...turn, hasMcp: mcpTools.length > 0 })
    const call = { ...work, key, system, messages, withTools: true, isBlind, mcpTools }
    const { answer, usage, entries } = await callModel(call, signal)
    return {
      response: answer as ModelAnswer & JsonObject,
      entries,
      ...(usage ? { usage: priceUsage(chosen, usage, work.options.prices) } : {}),
    }
  }
  takeAnswer(conversation, request, await turn.step({ key, kind: 'model', request: { ...request } }, act))
}

async function composeRequest({ turn, outside, chosen, conversation }: Work): Promise<ModelRequest> {
  const heard = [...conversation.unsent, ...(await turn.takeMessages())]
  const notice = findNotice(conversation, turn.outputSchema !== null)
  if (notice?.reason === 'stuck') await noteStuck(turn, conversation, notice)
  if (notice?.reason === 'go_on') await noteSpoken(turn, conversation)
  // The very first message also tells what there is to know about the repository.
  const isFirst = conversation.messages.length === 0
  const seal = conversation.seal ?? outside.generateSeal()
  const book = conversation.rules
  const words = isFirst ? [await openingMessage(turn, heard, { clock: outside.clock, seal, book })] : heard
  // What a person pasted without seeing it is not what they said.
  const spoken = words.map(({ text, images }): Said => {
    return { reason: null, text: escapeInvisible(text), ...(images.length ? { images } : {}) }
  })
  const rules = isFirst ? [...book.given] : []
  if (rules.length > 0) {
    const thought = `Rules of the repository that the agent was given: ${rules.map(([path]) => path).join(', ')}.`
    await turn.note(`t${turn.number}/rules`, [{ messageType: 'PLAN_EVALUATION', thought }])
  }
  const request: ModelRequest = {
    model: chosen.name,
    said: notice ? [...spoken, notice] : spoken,
    seal,
    ...(rules.length > 0 && { rules }),
    ...(conversation.modelSteps === 0 && { basis: describeBasis(turn, chosen) }),
  }
  return { ...request, sent: digestOf([...forModel(conversation, chosen), ...saidMessages(request)]) }
}

async function noteStuck(turn: Turn, { modelSteps }: Conversation, { text }: Said): Promise<void> {
  await turn.note(`t${turn.number}/stuck/${modelSteps}`, [
    { messageType: 'PLAN_EVALUATION', thought: `The agent was told: ${text}` },
  ])
}

async function noteSpoken(turn: Turn, { modelSteps, spoke }: Conversation): Promise<void> {
  const thought = spoke?.thought ?? spoke?.text ?? ''
  await turn.note(`t${turn.number}/spoke/${modelSteps}`, [{ messageType: 'PLAN_EVALUATION', thought }])
}

/** The conversation as this model may read it: another one's reasoning is not its own, and is refused if it is signed. */
function forModel({ messages, authors }: Conversation, { name }: ChosenModel): ModelMessage[] {
  const readable = messages.map((message) => {
    const isForeign = message.role === 'assistant' && (authors.get(message) ?? name) !== name
    if (!isForeign || typeof message.content === 'string') return message
    return { ...message, content: message.content.filter((part) => part.type !== 'reasoning') }
  })
  return readable.filter(({ content }) => content.length > 0)
}
