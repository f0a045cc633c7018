import { z } from 'zod'
import { describePlan } from '#adapters/engines/builtin/describe-plan.ts'
import { isApproval } from '#adapters/engines/builtin/is-approval.ts'
import { readMcpTools } from '#adapters/engines/builtin/list-mcp-tools.ts'
import { runTool } from '#adapters/engines/builtin/run-tool.ts'
import { stepName } from '#adapters/engines/builtin/take-command.ts'
import { offerTools } from '#adapters/engines/builtin/tools/all-tools.ts'
import { askUserTool } from '#adapters/engines/builtin/tools/ask-user.ts'
import { findFaults, finishTool } from '#adapters/engines/builtin/tools/finish.ts'
import { locateFaultTool } from '#adapters/engines/builtin/tools/locate-fault.ts'
import { mcpTool } from '#adapters/engines/builtin/tools/mcp-tool.ts'
import { openSessions } from '#adapters/engines/builtin/tools/open-sessions.ts'
import { planTool } from '#adapters/engines/builtin/tools/plan.ts'
import { readRunsTool } from '#adapters/engines/builtin/tools/read-runs.ts'
import { startRunTool } from '#adapters/engines/builtin/tools/start-run.ts'
import { loggedOutput, nothingYet, type Tool, type ToolContext } from '#adapters/engines/builtin/tools/tool.ts'
import { tryChangeTool } from '#adapters/engines/builtin/tools/try-change.ts'
import { EngineError, type McpListing, type Outcome, type PastStep, type Turn } from '#adapters/engines/engine.ts'
import { hasWarmTests } from '#adapters/engines/repair/measure-tests.ts'
import type { JsonObject } from '#base/json.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import type { OfferedTool, ToolAnswer } from './serve-tools.ts'

/** Gemini CLI leaves out whatever is called `ask_user` where nobody watches. */
const askPerson = { ...askUserTool, name: 'ask_person' }
const OUTPUTS_REFUSED_MAX = 3
const WAITING_MAX = 50
/** Of a result, for an agent that has lost its session. */
const SEEN_CHARACTERS_MAX = 1_000

/** The tools of ours that an agent has in a turn, besides its own. */
export type OwnTools = {
  readonly offered: readonly OfferedTool[]
  call(name: string, input: JsonObject): Promise<ToolAnswer>
  /** What it has called `finish` with. Whoever goes on with the work sets it back. */
  claim: JsonObject | null
  readonly isPlanApproved: boolean
  /** What the agent called for when it was ended, with what came of it since: it has not been told. Empty: nothing. */
  takeNews(): string
  /** Rejects with what ends the turn from within a call. Never resolves. */
  readonly fault: Promise<never>
}

type State = {
  turn: Turn
  mcp: McpListing | null
  offered: readonly OfferedTool[]
  calls: number
  claim: JsonObject | null
  isPlanApproved: boolean
  news: string[]
  /** Calls that are not answered yet. */
  waiting: number
  last: Promise<unknown>
  outputsRefused: number
}

/**
 * Opens the tools of a turn, and does again what a lost worker, or a wait, has left open of them: a question is asked once, a run is
 * started once.
 */
export async function openOwnTools(turn: Turn): Promise<OwnTools> {
  const steps = ownSteps(turn)
  const mcp = await readMcpTools(turn)
  const hasTests = turn.hasTests ?? (await hasWarmTests(turn.sandbox, turn.signal))
  const state: State = {
    turn,
    mcp,
    offered: offeredOf(turn, mcp, hasTests),
    calls: steps.length,
    claim: null,
    isPlanApproved: false,
    news: [],
    waiting: 0,
    last: Promise.resolve(),
    outputsRefused: 0,
  }
  for (const { step, isNews } of steps) {
    const { text } = await repeat(state, step)
    if (isNews) state.news.push(`Your call of ${nameOf(step)} has this result:\n${text}`)
  }
  const { promise: fault, reject } = Promise.withResolvers<never>()
  fault.catch(() => {})
  return {
    offered: state.offered,
    // One after the other: whatever runs in the sandbox may call, as often as it likes.
    call: (name, input) => {
      if (state.waiting >= WAITING_MAX)
        return Promise.resolve({ text: 'Error: too many calls at once.', isError: true })
      state.waiting++
      const called = state.last
        .then(() => answer(state, { name, input, key: `t${turn.number}/tool/0.${++state.calls}` }))
        .catch((error: unknown) => {
          reject(error)
          // The agent is ended; it hears nothing any more.
          return { text: 'The run has ended.', isError: true }
        })
        .finally(() => state.waiting--)
      state.last = called
      return called
    },
    get claim() {
      return state.claim
    },
    set claim(claim) {
      state.claim = claim
    },
    get isPlanApproved() {
      return state.isPlanApproved
    },
    takeNews: () => state.news.splice(0).join('\n\n'),
    fault,
  }
}

type OwnStep = { step: PastStep; isNews: boolean }

/** Of this turn; those are news that came after all else that the agent did. */
function ownSteps({ past, number }: Turn): OwnStep[] {
  const steps = past.flatMap((item) => (item.type === 'step' && item.turn === number ? [item.step] : []))
  const last = steps.findLastIndex(({ key }) => key.startsWith(`t${number}/agent/`))
  return steps.flatMap((step, index) => (isOwnKey(step.key) ? [{ step, isNews: index > last }] : []))
}

const isOwnKey = (key: string) => /^t\d+\/tool\/0\.\d+$/.test(key)

const nameOf = ({ kind, request }: PastStep): string =>
  kind === 'ask' ? (request['kind'] === 'plan' ? planTool.name : askPerson.name) : (request as { tool: string }).tool

/** A call that was made before: what is done is read from its step. */
function repeat(state: State, step: PastStep): Promise<ToolAnswer> {
  const { key, kind, request } = step
  if (kind !== 'ask') return answer(state, { key, name: nameOf(step), input: request['input'] as JsonObject })
  const { text, options } = request as { text: string; options?: string[] }
  if (request['kind'] !== 'plan') return ask(state, key, { question: text, ...(options && { options }) })
  return askApproval(state, key, { text, onceApproved: 'Carry it out.' })
}

type Called = { key: string; name: string; input: JsonObject }

/** Rejects when the turn has to end: with the call, or because it waits. */
async function answer(state: State, called: Called): Promise<ToolAnswer> {
  const { turn } = state
  const { name, input, key } = called
  const tool = findTool(state, name)
  if (!tool) return { text: `Error: there is no tool ${name}.`, isError: true }
  const read = tool.schema.safeParse(input)
  if (!read.success) return { text: `Error: ${z.prettifyError(read.error)}`, isError: true }
  if (name === finishTool.name) return finish(state, input)
  if (name === askPerson.name) return ask(state, key, input as { question: string; options?: string[] })
  if (name === planTool.name) {
    await turn.note(`${key}/plan`, [{ messageType: 'PLAN_EVALUATION', observation: input }])
    const onceApproved = 'End your turn now. You are told when to carry it out.'
    const asked = await askApproval(state, key, { text: describePlan(input), onceApproved })
    if (state.isPlanApproved) state.news.push('Your plan is approved. Carry it out.')
    return asked
  }
  // The tests may change files, which are read-only for the agent until then.
  if (testTools.some((one) => one.name === name) && turn.planApproval && !state.isPlanApproved)
    return { text: `Error: ${name} may not be used before your plan is approved.`, isError: true }
  return use(state, called, tool as Tool)
}

async function ask({ turn }: State, key: string, asked: { question: string; options?: string[] }): Promise<ToolAnswer> {
  const { question: text, options = [] } = asked
  return { text: await turn.ask({ key, kind: 'question', text, options }), isError: false }
}

type AskApproval = { text: string; onceApproved: string }

async function askApproval(state: State, key: string, { text, onceApproved }: AskApproval): Promise<ToolAnswer> {
  const reply = await state.turn.ask({ key, kind: 'plan', text, options: ['approve'] })
  if (!isApproval(reply))
    return {
      text: `Your plan is not approved yet. Call plan again with what is to change:\n\n${reply}`,
      isError: false,
    }
  state.isPlanApproved = true
  return { text: `Your plan is approved. ${onceApproved}`, isError: false }
}

/** What is claimed is looked at when the agent has ended its turn: commands take longer than some agents wait for a tool. */
async function finish(state: State, input: JsonObject): Promise<ToolAnswer> {
  const faults = await findFaults(input, state.turn)
  if (faults.length === 0) {
    state.claim = input
    return { text: 'Taken. End your turn now: the commands that you named are run.', isError: false }
  }
  if (++state.outputsRefused >= OUTPUTS_REFUSED_MAX)
    throw new EngineError('output_invalid', `The result did not fit its schema, ${state.outputsRefused} times.`)
  return { text: `Not finished yet:\n${faults.map((fault) => `- output: ${fault}`).join('\n')}`, isError: true }
}

/** A step of its own. Where a worker is lost in it, runs are started once and read again; what others' tools did is not known. */
async function use({ turn }: State, { key, name, input }: Called, tool: Tool): Promise<ToolAnswer> {
  const context = { ...contextOf(turn, key), findTool: () => tool }
  const outcome = (
    answer: ToolAnswer,
    output: JsonObject,
  ): Outcome<{ text: string; isError: boolean; seen: string }> => ({
    response: {
      text: answer.text,
      isError: answer.isError,
      seen: shortenWithin(answer.text, SEEN_CHARACTERS_MAX),
    },
    entries: [
      { messageType: 'ACTION', toolName: tool.name, toolInput: input, toolOutput: output, observation: answer.text },
    ],
  })
  let image: ToolAnswer['image']
  const act = async () => {
    const { result } = await runTool({ name, input }, context)
    image = result.image
    return outcome({ text: result.text, isError: result.isError === true }, loggedOutput(result))
  }
  const interrupted = () => {
    const text = 'Error: interrupted by a restart of the service; its effect is unknown. Check before you go on.'
    return outcome({ text, isError: true }, { interrupted: true })
  }
  const request = { tool: name, input }
  const stored = await turn.step({ key, kind: 'tool', request }, act, tool.isRepeatable ? {} : { interrupted })
  return { ...stored, image }
}

/** What a tool of ours is told where it runs for an agent that keeps its own counsel. */
export function contextOf(turn: Turn, key: string): ToolContext {
  return {
    sandbox: turn.sandbox,
    signal: turn.signal,
    secrets: turn.secrets,
    children: turn.children,
    sessions: openSessions(),
    callName: stepName(key),
    canSeeImages: true,
    seen: new Map(),
    ...nothingYet,
    outputSchema: turn.outputSchema,
  }
}

const testTools = [locateFaultTool, tryChangeTool]
const ownTools = [finishTool, askPerson, planTool, startRunTool, readRunsTool, ...testTools]

function findTool({ turn, mcp, offered }: State, name: string): Pick<Tool, 'name' | 'schema'> | undefined {
  if (!offered.some((tool) => tool.name === name)) return undefined
  const other = mcp?.tools.find((tool) => shortName(tool.name) === name)
  return other ? mcpTool(other, turn.mcp) : ownTools.find((tool) => tool.name === name)
}

/** Agents put the name of the server before it, and some allow 64 characters in all. */
const shortName = (name: string) => name.replace(/^mcp__/, '')

/** Agents keep plans by tools of their own; ours is for the one that is to be approved. */
function offeredOf(turn: Turn, mcp: McpListing | null, hasTests: boolean): OfferedTool[] {
  const own = offerTools(turn, { id: '' }, hasTests).flatMap(({ name: own, description, schema }) => {
    const name = own === askUserTool.name ? askPerson.name : own
    const isOffered = ownTools.some((tool) => tool.name === name) && (name !== planTool.name || turn.planApproval)
    if (!isOffered) return []
    const inputSchema = (schema instanceof z.ZodType ? z.toJSONSchema(schema) : schema) as JsonObject
    return [{ name, description: name === finishTool.name ? finishDescription : description, inputSchema }]
  })
  const others = mcp?.tools ?? []
  return [
    ...own,
    ...others.map(({ name, description, inputSchema }) => ({ name: shortName(name), description, inputSchema })),
  ]
}

const finishDescription =
  'End the task; nothing else ends it. Call it once, when the work is done and checked, or when it cannot be done, and then end your turn. ' +
  'Name in checks the commands that check the work: they are run once more for you, and how they end is shown to people.'
