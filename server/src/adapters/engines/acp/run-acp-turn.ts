import path from 'node:path'
import { methods } from '@agentclientprotocol/sdk'
import type { ModelOptions } from '#adapters/engines/builtin/model-options.ts'
import {
  EngineError,
  type Answer,
  type Entry,
  type Message,
  type PastStep,
  type Turn,
} from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { generateSeal } from '#base/text/mark-foreign.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import { agentMount, type AgentModel, type AgentSpec } from './agents/agent-spec.ts'
import { boundObject } from './bound-json.ts'
import { chooseAgentModel } from './choose-agent-model.ts'
import { composePrompt, toolOf } from './compose-prompt.ts'
import { connectAgent, type ConnectedAgent } from './connect-agent.ts'
import { EventQueue } from './event-queue.ts'
import { openSession, sessionKey, type AgentSession } from './open-session.ts'
import { readUpdates, type AgentEvent } from './read-updates.ts'

/** Of a tool's result, for an agent that has lost its session. */
const SEEN_CHARACTERS_MAX = 1_000
const NOTES_MAX = 10_000

export type RunAcpTurn = {
  spec: AgentSpec
  options: ModelOptions
  /** What the agent may say in the turn. */
  outputBytesMax?: number | undefined
}

/**
 * Drives one turn by an agent in the sandbox. It works on its own, and each of its tool calls becomes a step when it begins.
 * A turn that was interrupted takes up the agent's session where the agent can, and else begins one that is told what happened.
 */
export async function runAcpTurn(turn: Turn, { spec, options, outputBytesMax }: RunAcpTurn): Promise<Answer> {
  // It would go ahead without one.
  if (turn.planApproval)
    throw new EngineError('not_supported', `${spec.title} cannot wait for a plan's approval. Use the built-in agent.`)
  const model = await chooseAgentModel(turn, spec, options)
  const start = await prepareAgent(turn, spec, model)
  await settleInterrupted(turn, spec)
  const inbox: Inbox = { isReplaying: true, take: () => {} }
  await using agent = connectAgent({
    title: spec.title,
    sandbox: turn.sandbox,
    outputBytesMax,
    start: { ...start, cwd: turn.sandbox.paths.workspace, signal: turn.signal, secrets: everywhere(turn) },
    onUpdate: (update) => {
      // The history of a session that is loaded is in our log already.
      if (!inbox.isReplaying) inbox.take(update)
    },
  })
  const begun = turn.past.filter((item) => item.type === 'step' && item.turn === turn.number).length
  const session = await openSession({ agent, spec, turn })
  inbox.isReplaying = false
  await turn.step({ key: sessionKey(turn.number, begun), kind: 'tool', request: { tool: 'session' } }, async () => ({
    response: { session: session.id },
    entries: [],
  }))
  // Awaited here: the agent ends with this function.
  return await converse(turn, { agent, spec, session, inbox, begun })
}

type Inbox = { isReplaying: boolean; take: (update: unknown) => void }
type Converse = {
  agent: ConnectedAgent
  spec: AgentSpec
  session: AgentSession
  inbox: Inbox
  /** Steps of this turn before the agent was started: another number each time that it is. */
  begun: number
}

/** Tells the agent what people say until it has nothing left to answer. */
async function converse(turn: Turn, { agent, spec, session, inbox, begun }: Converse): Promise<Answer> {
  const before = turn.past.flatMap((item) => (item.type === 'message' && item.turn === turn.number ? [item] : []))
  let messages: Message[] = [...before, ...(await turn.takeMessages())]
  const kind = !session.isLoaded ? 'new' : begun > 0 ? 'interrupted' : 'resumed'
  let text = composePrompt(turn, { messages, session: kind, seal: generateSeal() })
  const counter = { noteKey: `t${turn.number}/note/${begun}`, notes: 0, steps: stepsBegun(turn) }
  for (;;) {
    const prompt = [{ type: 'text', text }, ...(await imagesOf(turn, session.takesImages ? messages : []))]
    const { answer, thought, stopReason } = await ask(turn, { agent, session, inbox, prompt, counter })
    if (stopReason !== 'end_turn') throw stopped(spec, stopReason, answer)
    messages = await turn.takeMessages()
    if (messages.length === 0) return { answer: answer || 'The agent ended without a last message.', thought }
    const entry: Entry = { messageType: 'PLAN_EVALUATION', thought: [thought, answer].filter(Boolean).join('\n') }
    await turn.note(`${counter.noteKey}.${counter.notes++}`, [entry])
    text = messages.map((message) => message.text).join('\n\n')
  }
}

type Ask = Pick<Converse, 'agent' | 'session' | 'inbox'> & {
  prompt: object[]
  counter: { noteKey: string; notes: number; steps: number }
}

/** One prompt with all that the agent does about it. */
async function ask(turn: Turn, { agent, session, inbox, prompt, counter }: Ask) {
  const events = new EventQueue<AgentEvent>()
  const reader = readUpdates((event) => events.push(event))
  inbox.take = (update) => reader.read(update)
  const prompted = agent
    .request<{ stopReason?: unknown }>(methods.agent.session.prompt, { sessionId: session.id, prompt })
    .finally(() => events.close())
  // It is awaited below, when what came before its answer is stored.
  prompted.catch(() => {})
  const ended = prompted.then(
    () => reader.end(),
    () => reader.end(),
  )
  for (let event = await events.next(); event; event = await events.next()) {
    if (event.kind === 'tool') await storeTool(turn, event, `t${turn.number}/agent/${counter.steps++}`)
    else if (counter.notes < NOTES_MAX) await turn.note(`${counter.noteKey}.${counter.notes++}`, [event.entry])
  }
  const { stopReason } = await prompted
  return { ...(await ended), stopReason: String(stopReason) }
}

async function storeTool(turn: Turn, event: Extract<AgentEvent, { kind: 'tool' }>, key: string): Promise<void> {
  const request: JsonObject = { tool: event.name, input: event.input }
  await turn.step({ key, kind: 'tool', request }, async () => {
    const entry = await event.done
    const observation = typeof entry.observation === 'string' ? entry.observation : JSON.stringify(entry.observation)
    return { response: { seen: shortenWithin(observation, SEEN_CHARACTERS_MAX) }, entries: [entry] }
  })
}

/** A tool that was at work when a worker was lost: nobody knows how far it came, and the agent itself looks. */
async function settleInterrupted(turn: Turn, spec: AgentSpec): Promise<void> {
  const open = turn.past.flatMap((item) =>
    item.type === 'step' && item.turn === turn.number && isToolOf(item.step) && item.step.response === undefined
      ? [item.step]
      : [],
  )
  for (const { key, request } of open) {
    const tool = toolOf(request)
    const observation = `${spec.title} was interrupted while it used this tool. How far it came is not known.`
    const entry: Entry = {
      messageType: 'ACTION',
      toolName: tool,
      toolInput: boundObject(request['input']),
      observation,
    }
    const outcome = { response: { seen: observation }, entries: [entry] }
    await turn.step({ key, kind: 'tool', request }, async () => outcome, { interrupted: () => outcome })
  }
}

const isToolOf = ({ key, kind }: PastStep) => kind === 'tool' && /^t\d+\/agent\//.test(key)

const stepsBegun = (turn: Turn): number =>
  turn.past.filter((item) => item.type === 'step' && item.turn === turn.number && isToolOf(item.step)).length

const stopReasons: Record<string, { code: 'refused' | 'max_steps_reached' | 'context_overflow'; why: string }> = {
  refusal: { code: 'refused', why: 'its model refused to go on' },
  max_turn_requests: { code: 'max_steps_reached', why: 'it has asked its model as often as it does in one turn' },
  max_tokens: { code: 'context_overflow', why: 'its model has no room left' },
}

function stopped({ title }: AgentSpec, reason: string, answer: string): EngineError {
  const known = stopReasons[reason]
  const words = answer && `\n${answer}`
  return new EngineError(
    known?.code ?? 'engine_error',
    `${title} stopped: ${known?.why ?? reason.slice(0, 100)}.${words}`,
  )
}

async function imagesOf(turn: Turn, messages: readonly Message[]): Promise<object[]> {
  const images = messages.flatMap((message) => message.images)
  return Promise.all(
    images.map(async (image) => ({
      type: 'image',
      mimeType: image.mediaType,
      data: (await turn.readImage(image)).toString('base64'),
    })),
  )
}

const everywhere = ({ secrets }: Turn) => secrets.filter(({ isEverywhere }) => isEverywhere).map(({ name }) => name)

/** Writes what lies in the agent's home, and says how it is started. */
async function prepareAgent(turn: Turn, spec: AgentSpec, model: AgentModel) {
  const { paths } = turn.sandbox
  const home = `${paths.home}/.agents/${spec.name}`
  const modules = `${paths.mounts[agentMount]}/node_modules`
  const places = { modules, node: `${paths.nodeFolder}/node`, home }
  const files = { '.keep': '', ...spec.files?.(model) }
  for (const [name, content] of Object.entries(files))
    await turn.sandbox.writeFile(path.posix.join(home, name), Buffer.from(content))
  const env = {
    ...spec.environment(model, places),
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_STATE_HOME: `${home}/.local/state`,
    NO_BROWSER: '1',
  }
  // The run's token is known inside alone.
  const tokens = spec.tokenVariables.map((name) => `export ${name}="$RUNWRIGHT_RUN_TOKEN"; `).join('')
  return { argv: ['sh', '-c', `${tokens}exec "$@"`, 'sh', ...spec.command(places)], env }
}
