import { EngineError, type Answer, type Entry, type Message, type Turn } from '#adapters/engines/engine.ts'
import { generateSeal } from '#base/text/mark-foreign.ts'
import { runAfterEdits, type Edits } from './after-edits.ts'
import type { AgentSpec } from './agents/agent-spec.ts'
import { askAgent, type Reply } from './ask-agent.ts'
import { composePrompt } from './compose-prompt.ts'
import { connectAgent, type ConnectedAgent } from './connect-agent.ts'
import { nextNoteKey, type Counter } from './counter.ts'
import { openSession, sessionKey, type AgentSession } from './open-session.ts'
import { describeTree, lookAtClaim } from './own-tools/look-at-claim.ts'
import type { OwnTools } from './own-tools/own-tools.ts'
import { serveTools, type ServedTools } from './own-tools/serve-tools.ts'
import type { AgentStart } from './prepare-agent.ts'

/** How often an agent is told that only `finish` ends the task. */
const REMINDERS_MAX = 3
/** How often an agent is sent back in one start for hooks that failed after its edits: they may fail for ever. */
const EDITS_REFUSED_MAX = 2

export type Sit = {
  spec: AgentSpec
  start: AgentStart
  counter: Counter
  edits: Edits
  tools: OwnTools
  outputBytesMax: number | undefined
}

/** One start of the agent, until the turn has its answer; null: a plan was approved, and the agent is to be started anew to carry it out. */
export async function sit(
  turn: Turn,
  { spec, start, counter, edits, tools, outputBytesMax }: Sit,
): Promise<Answer | null> {
  const isPlanning = turn.planApproval && !tools.isPlanApproved
  const inbox: Inbox = { isReplaying: true, take: () => {} }
  await using served = await serveTools({
    sandbox: turn.sandbox,
    folder: start.home,
    tools: tools.offered,
    call: (name, input) => tools.call(name, input),
    signal: turn.signal,
  })
  await using agent = connectAgent({
    title: spec.title,
    sandbox: turn.sandbox,
    outputBytesMax,
    start: {
      argv: start.argv,
      env: start.env,
      cwd: turn.sandbox.paths.workspace,
      signal: turn.signal,
      secrets: everywhere(turn),
      ...(isPlanning && { keepsWorkTree: true }),
    },
    onUpdate: (update) => {
      // The history of a session that is loaded is in our log already.
      if (!inbox.isReplaying) inbox.take(update)
    },
  })
  const isFirst = counter.starts === 0
  const session = await openSession({ agent, spec, turn, known: counter.session, servers: [served.server] })
  counter.session = session.id
  inbox.isReplaying = false
  const treeBefore = await turn.step(
    { key: sessionKey(turn.number, counter.starts++), kind: 'tool', request: { tool: 'session' } },
    async () => ({
      response: { session: session.id, tree: firstTree(turn) ?? (await describeTree(turn)) },
      entries: [],
    }),
  )
  // Awaited here: the agent ends with this function.
  return await Promise.race([
    tools.fault,
    converse(turn, {
      agent,
      spec,
      session,
      inbox,
      counter,
      edits,
      tools,
      served,
      isPlanning,
      isFirst,
      treeBefore: treeBefore.tree,
    }),
  ])
}

/** The work tree as it was when the turn began. */
function firstTree({ past, number }: Turn): string | undefined {
  for (const item of past) {
    if (item.type !== 'step' || item.turn !== number || item.step.key !== sessionKey(number, 0)) continue
    return (item.step.response as { tree?: string } | undefined)?.tree
  }
  return undefined
}

export type Inbox = { isReplaying: boolean; take: (update: unknown) => void }

type Converse = Pick<Sit, 'spec' | 'counter' | 'edits' | 'tools'> & {
  agent: ConnectedAgent
  session: AgentSession
  inbox: Inbox
  served: ServedTools
  isPlanning: boolean
  /** Whether the agent was not started before in this turn. */
  isFirst: boolean
  treeBefore: string
}

/** Tells the agent what people say, and what is still open, until its work has ended. */
async function converse(turn: Turn, conversation: Converse): Promise<Answer | null> {
  const { spec, session, counter, edits, tools, served, isPlanning, isFirst, treeBefore } = conversation
  const before = turn.past.flatMap((item) => (item.type === 'message' && item.turn === turn.number ? [item] : []))
  let messages: Message[] = [...before, ...(await turn.takeMessages())]
  const seal = generateSeal()
  const kind = !session.isLoaded ? 'new' : isFirst ? 'resumed' : 'interrupted'
  let text = composePrompt(turn, { messages, session: kind, seal, news: tools.takeNews(), isPlanning })
  const refused = { times: 0, forHooks: 0, forEdits: 0 }
  for (let reminders = 0; ;) {
    const reply = await askAgent(turn, { ...conversation, messages, text })
    if (reply.messages.length > 0) {
      // Whatever it has ended with is of before they were sent.
      tools.claim = null
      messages = reply.messages
      await noteReply(turn, counter, reply)
      text = messages.map((message) => message.text).join('\n\n')
      continue
    }
    if (reply.stopReason !== 'end_turn') throw stopped(spec, reply)
    messages = []
    if (isPlanning && tools.isPlanApproved) {
      await noteReply(turn, counter, reply)
      return null
    }
    const hooks = isPlanning ? null : await runAfterEdits(turn, { edits, seal })
    const words = hooks ? `${hooks.words}\n\n` : ''
    if (hooks?.hasFailed && refused.forEdits++ < EDITS_REFUSED_MAX) {
      tools.claim = null
      await noteReply(turn, counter, reply)
      text = `${words}Fix what failed, and end the task as before.`
      continue
    }
    if (tools.claim) {
      const claim = tools.claim
      tools.claim = null
      const look = { claim, thought: thoughtOf(reply), treeBefore, number: ++counter.claims, refused, seal }
      const ended = await lookAtClaim(turn, look)
      if ('answer' in ended) return ended.answer
      await noteReply(turn, counter, reply)
      refused.times++
      if (ended.isForHooks) refused.forHooks++
      text = words + ended.refusal
      continue
    }
    if (!served.wereListed && !isPlanning)
      return { answer: reply.answer || 'The agent ended without a last message.', thought: reply.thought }
    if (reminders++ >= REMINDERS_MAX || !served.wereListed)
      throw noEnd(spec, reply, { isPlanning, wereListed: served.wereListed })
    await noteReply(turn, counter, reply)
    text = words + (isPlanning ? planReminder : endReminder)
  }
}

const endReminder =
  'Only the tool finish of the MCP server runwright ends the task. Go on with the task, or call finish if it is done, or cannot be done.'
const planReminder =
  'Nothing may be changed before a person has approved your plan: call the tool plan of the MCP server runwright with every step that you mean to take.'

async function noteReply(turn: Turn, counter: Counter, reply: Reply): Promise<void> {
  const thought = thoughtOf(reply)
  if (thought === null) return
  const entry: Entry = { messageType: 'PLAN_EVALUATION', thought }
  await turn.note(nextNoteKey(turn, counter), [entry])
}

const thoughtOf = ({ thought, answer }: Reply) => [thought, answer].filter(Boolean).join('\n') || null

const stopReasons: Record<string, { code: 'refused' | 'max_steps_reached' | 'context_overflow'; why: string }> = {
  refusal: { code: 'refused', why: 'its model refused to go on' },
  max_turn_requests: { code: 'max_steps_reached', why: 'it has asked its model as often as it does in one turn' },
  max_tokens: { code: 'context_overflow', why: 'its model has no room left' },
}

function stopped({ title }: AgentSpec, { stopReason, answer }: Reply): EngineError {
  const known = stopReasons[stopReason]
  const words = answer && `\n${answer}`
  return new EngineError(
    known?.code ?? 'engine_error',
    `${title} stopped: ${known?.why ?? stopReason.slice(0, 100)}.${words}`,
  )
}

function noEnd(
  { title }: AgentSpec,
  { answer }: Reply,
  { isPlanning, wereListed }: { isPlanning: boolean; wereListed: boolean },
) {
  if (!wereListed)
    return new EngineError(
      'not_supported',
      `${title} did not ask for the tools of its MCP server, so its plan cannot be approved. Use the built-in agent.`,
    )
  const missing = isPlanning ? 'showing a plan' : 'calling finish'
  return new EngineError(
    'no_end',
    `${title} ended its turn ${REMINDERS_MAX + 1} times without ${missing}: ${answer.slice(0, 500)}`,
  )
}

const everywhere = ({ secrets }: Turn) => secrets.filter(({ isEverywhere }) => isEverywhere).map(({ name }) => name)
