import type { ModelMessage } from 'ai'
import { hasWarmTests } from '#adapters/engines/repair/measure-tests.ts'
import { EngineError, type Answer, type Outcome, type Turn, type TurnSettings } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { priceUsage } from '#base/models/price-usage.ts'
import { shorten } from '#base/text/shorten.ts'
import { escapeInvisible } from '#base/text/escape-invisible.ts'
import { callModel } from './call-model.ts'
import { chooseModels, type ChosenModel } from './choose-model.ts'
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
import { openSessions } from './tools/open-sessions.ts'
import { systemPrompt } from './system-prompt.ts'
import { withImages } from './with-images.ts'

/** Beyond this part of the model's window the conversation is made shorter. */
const FILL_MAX = 0.75
const HISTORY_BYTES_MAX = 25 * 1024 * 1024

type Work = {
  turn: Turn
  options: ModelOptions
  outside: ClockAndChance
  settings: TurnSettings
  chosen: ChosenModel
  /** Those that are asked where it cannot be, in their order. */
  next: ChosenModel[]
  /** Names of models that could not be asked in this turn. */
  failed: Set<string>
  conversation: Conversation
}

type RunTurn = {
  options: ModelOptions
  outside: ClockAndChance
  /** Whether a session has gone with its worker; left out: if this worker did not start it. */
  isLost?: (id: string) => boolean
}

/**
 * One turn: ask the model, run what it calls for, and so on until it finishes. Each question, with its answer, and each
 * call is a step of its own; all that is decided in between follows from the stored steps, so a worker that takes over
 * decides the same.
 */
export async function runTurn(turn: Turn, { options, outside, isLost }: RunTurn): Promise<Answer> {
  const failed = new Set<string>()
  let settings = await turn.readSettings()
  let models = await pickModels(turn, options, settings)
  const conversation = foldPast(turn)
  await using stack = new AsyncDisposableStack()
  const sessions = openSessions()
  stack.defer(() => sessions.stopAll())
  for (;;) {
    const usable = models.filter(({ name }) => !failed.has(name))
    const [chosen, ...next] = usable.length > 0 ? usable : models.slice(-1)
    if (!chosen) throw new EngineError('no_model', 'There is no model to ask.')
    const canSeeImages = chosen.canSeeImages && !conversation.blind.has(chosen.name)
    await runCalls(turn, conversation, { canSeeImages, sessions })
    const answer = findAnswer(conversation)
    if (answer) {
      await noteStopped(turn, conversation)
      return answer
    }
    tellLost(conversation, isLost ?? ((id) => !sessions.all.has(id)))
    await askApproval(turn, conversation)
    const before = settings
    settings = await turn.readSettings()
    if (lineOf(settings) !== lineOf(before)) {
      models = await pickModels(turn, options, settings)
      failed.clear()
      continue
    }
    const work: Work = { turn, options, outside, settings, chosen, next, failed, conversation }
    checkLimits(work)
    await listMcpTools(turn, conversation)
    conversation.hasTests ??= turn.hasTests ?? (await hasWarmTests(turn.sandbox, turn.signal))
    // That takes a model's time, in which somebody may have said something.
    const isShorter = await compactIfNeeded(work)
    await ask(isShorter ? { ...work, settings: { ...settings, hasMessages: true } } : work)
  }
}

/** What decides which models are asked, and how: with another one they are chosen anew. */
const lineOf = ({ models, providers }: TurnSettings): string =>
  JSON.stringify([models, providers?.items.map(({ version }) => version)])

async function pickModels(turn: Turn, options: ModelOptions, settings: TurnSettings): Promise<ChosenModel[]> {
  const { models: names, providers } = settings
  const known = providers ? { ...options, organization: providers } : options
  const { models, left } = await chooseModels(known, names, turn.signal)
  const thought = `${left.join(' ')} ${models[0]?.name} is asked first.`
  if (left.length > 0)
    await turn.note(`t${turn.number}/models/${digestOf(names)}`, [{ messageType: 'PLAN_EVALUATION', thought }])
  return models
}

async function noteStopped(turn: Turn, { sessions }: Conversation): Promise<void> {
  if (sessions.size === 0) return
  const commands = [...sessions].map(([id, { command }]) => `${id} (${shorten(command, 120)})`).join(', ')
  const thought = `Sessions that were still running are stopped with the turn: ${commands}.`
  await turn.note(`t${turn.number}/sessions`, [{ messageType: 'PLAN_EVALUATION', thought }])
}

/** Sessions live in one worker: those that another one started are gone. */
function tellLost(conversation: Conversation, isLost: (id: string) => boolean): void {
  for (const id of conversation.sessions.keys()) {
    if (!isLost(id)) continue
    conversation.sessions.delete(id)
    conversation.unsent.push({ text: wordsOfLost(id), images: [] })
  }
}

export const wordsOfLost = (id: string) =>
  `Session ${id} ended with its worker, which was lost or replaced. Start it again if you need it.`

async function askApproval(turn: Turn, conversation: Conversation): Promise<void> {
  const { proposal } = conversation
  if (!turn.planApproval || !proposal) return
  const answer = await turn.ask({ ...proposal, kind: 'plan', options: ['approve'] })
  takeApproval(conversation, answer)
}

function checkLimits({ conversation, options, settings: { maxModelCalls } }: Work): void {
  const operatorsMax = options.stepsMax ?? modelDefaults.stepsMax
  const stepsMax = Math.min(operatorsMax, maxModelCalls ?? operatorsMax)
  if (conversation.modelSteps >= stepsMax) {
    const more =
      stepsMax < operatorsMax
        ? 'Raise max_model_calls of the run to let it go on.'
        : 'An operator can allow more: RUNWRIGHT_MODEL_CALLS.'
    throw new EngineError(
      'max_steps_reached',
      `The turn asked a model ${stepsMax} times without coming to an end. ${more}`,
    )
  }
  if (conversation.bytes > HISTORY_BYTES_MAX) {
    throw new EngineError('max_steps_reached', 'The run has grown beyond 25 MB of conversation: start a new one.')
  }
}

/** Whether it was. */
async function compactIfNeeded({ turn, options, outside, chosen, conversation }: Work): Promise<boolean> {
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
  if (conversation.begun) return false
  const tokens = estimateTokens(conversation)
  const isFull = tokens > chosen.contextTokens * FILL_MAX
  const hasFailed = lastEnd === 'overflow' || lastEnd === 'refused'
  if (!isFull && !hasFailed) return false
  const reason: CompactionCause['reason'] = !hasFailed ? 'window' : lastEnd === 'overflow' ? 'overflow' : 'refusal'
  const call = { turn, options, outside, chosen }
  await compact({ turn, conversation, call, cause: { reason, tokens } })
  return true
}

type Asked = Pick<Work, 'chosen' | 'next'>

async function ask(work: Work): Promise<void> {
  const { turn, conversation } = work
  const request = conversation.begun ?? (await composeRequest(work))
  const key = `t${turn.number}/model/${conversation.modelSteps + 1}`
  const askOne = async ({ chosen, next }: Asked, signal: AbortSignal): Promise<Outcome<ModelAnswer & JsonObject>> => {
    const messages = await withImages(turn, [...forModel(conversation, chosen), ...saidMessages(request)])
    const isBlind = conversation.blind.has(chosen.name)
    const mcpTools = conversation.mcp?.tools ?? []
    const system = systemPrompt({ ...turn, hasMcp: mcpTools.length > 0 })
    const { effort } = work.settings
    const hasNext = next.length > 0
    // A person may take a while to approve a plan, and more than once.
    const isKeptAnHour = conversation.hasWaited || (turn.planApproval && !conversation.isPlanApproved)
    const hasTests = conversation.hasTests === true
    const more = { isBlind, mcpTools, hasTests, effort, hasNext, isKeptAnHour }
    const call = { ...work, chosen, key, system, messages, withTools: true, ...more }
    const { answer, usage, entries } = await callModel(call, signal)
    return {
      response: answer as ModelAnswer & JsonObject,
      entries,
      ...(usage ? { usage: priceUsage(chosen, usage, chosen.options.prices) } : {}),
    }
  }
  const act = async (signal: AbortSignal) => {
    let { chosen, next, settings } = work
    for (;;) {
      try {
        return await askOne({ chosen, next }, signal)
      } catch (error) {
        if (!(error instanceof EngineError) || !['model_error', 'no_model'].includes(error.code)) throw error
        const now = await turn.readSettings()
        // A key that was changed while it was being used is no fault of the model.
        if (lineOf(now) !== lineOf(settings)) {
          settings = now
          ;[chosen, ...next] = (await pickModels(turn, work.options, now)) as [ChosenModel, ...ChosenModel[]]
          continue
        }
        const [other] = next
        if (!other) throw error
        work.failed.add(chosen.name)
        const thought = `${error.message} The model ${other.name} is asked instead.`
        await turn.note(`${key}/instead/${other.name}`, [{ messageType: 'PLAN_EVALUATION', thought }])
        ;[chosen, ...next] = next as [ChosenModel, ...ChosenModel[]]
      }
    }
  }
  takeAnswer(conversation, request, await turn.step({ key, kind: 'model', request: { ...request } }, act))
}

async function composeRequest({ turn, outside, settings, chosen, conversation }: Work): Promise<ModelRequest> {
  const heard = [...conversation.unsent, ...(settings.hasMessages === false ? [] : await turn.takeMessages())]
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
    ...(conversation.modelSteps === 0 && { basis: describeBasis(turn, chosen, conversation.hasTests === true) }),
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
