import type { Outcome, Turn } from '#adapters/engines/engine.ts'
import type { Entry } from '#base/entry.ts'
import { takeReply, takeResult, type Call, type CallResult, type Conversation } from './conversation.ts'
import { changedBy } from './changed-by.ts'
import { findRules, type Rule } from './find-rules.ts'
import { lookOnly } from './look-only.ts'
import { runAfterEdit, runBeforeFinish } from './run-hooks.ts'
import { runTool, type RanTool as Ran } from './run-tool.ts'
import { stepName } from './take-command.ts'
import { toolNamed } from './tools/all-tools.ts'
import { askUserTool, type AskUserInput } from './tools/ask-user.ts'
import { finishTool } from './tools/finish.ts'
import { mcpTool } from './tools/mcp-tool.ts'
import { openSessions } from './tools/open-sessions.ts'
import { shellTool } from './tools/shell.ts'
import { resolvePath } from './tools/resolve-path.ts'
import { loggedOutput, type ToolContext } from './tools/tool.ts'

type RanTool = Ran & { result: CallResult }
/** What tools are given besides what follows from the stored steps. */
type OfWorker = Pick<ToolContext, 'canSeeImages' | 'sessions'>

/** Runs the calls of the newest answer, in their order; those next to each other that only read, at the same time. */
export async function runCalls(turn: Turn, conversation: Conversation, more: OfWorker): Promise<void> {
  const context = (call: Call) => contextOf(turn, conversation, call, more)
  for (let call = conversation.pending[0]; call && !conversation.finished; call = conversation.pending[0]) {
    if (call.name === askUserTool.name) {
      await askUser(turn, conversation, call)
      continue
    }
    if (call.name === finishTool.name) {
      const own = call
      const { failedHooks, refusal } = await tryFinish(turn, conversation, own, context(own))
      await store(turn, conversation, own, () => refusal ?? runTool(own, { ...context(own), failedHooks }))
      continue
    }
    if (!isReadOnly(call)) {
      const own = call
      await store(turn, conversation, own, () => runApproved(turn, conversation, own, context(own)))
      continue
    }
    const others = conversation.pending.findIndex((pending) => !isReadOnly(pending) || pending.name === finishTool.name)
    const group = conversation.pending.slice(0, others < 0 ? undefined : others)
    const running = new Map<string, Promise<RanTool>>()
    const start = () => {
      if (running.size > 0) return
      for (const each of group) {
        const done = runTool(each, context(each)).then((ran) => addRules(turn, conversation, each, ran))
        // Whichever of them fails is seen when its turn to be stored comes, or never if another one ends the run.
        done.catch(() => undefined)
        running.set(each.key, done)
      }
    }
    for (const each of group) {
      await store(turn, conversation, each, () => {
        start()
        return running.get(each.key) ?? runTool(each, context(each))
      })
    }
  }
}

/** What the repository runs before the end runs only where nothing else is against it, and where something was done. */
async function tryFinish(turn: Turn, conversation: Conversation, call: Call, context: ToolContext) {
  const { editState, commands } = conversation
  const hasHooks = Boolean(turn.hooks?.beforeFinish.length) && (editState !== 'unedited' || commands.length > 0)
  if (!hasHooks) return { failedHooks: [] }
  const ran = await runTool(call, context)
  if (ran.result.isError) return { failedHooks: [], refusal: Promise.resolve(ran) }
  return { failedHooks: await runBeforeFinish(turn, conversation, { call, context }) }
}

async function askUser(turn: Turn, conversation: Conversation, call: Call): Promise<void> {
  const { question, options = [] } = call.input as AskUserInput
  const { key, thought } = call
  takeReply(conversation, call, await turn.ask({ key, kind: 'question', text: question, options, thought }))
}

async function store(turn: Turn, conversation: Conversation, call: Call, run: () => Promise<RanTool>): Promise<void> {
  const intent = { key: call.key, kind: 'tool' as const, request: { id: call.id, name: call.name, input: call.input } }
  const act = async (): Promise<Outcome<CallResult>> => {
    const { result, durationMs } = await run()
    const { printed: _, ...response } = result
    return { response, entries: entriesOf(call, result, durationMs) }
  }
  const interrupted = (): Outcome<CallResult> => {
    const text = 'Error: interrupted by a restart of the service; its effect is unknown. Check before you go on.'
    const result = { text, output: { interrupted: true }, isError: true }
    return { response: result, entries: entriesOf(call, result, null) }
  }
  const result = await turn.step<CallResult>(intent, act, {
    ...(!isRepeatable(call) && { interrupted }),
    entriesOf: (response) => entriesOf(call, response, null),
  })
  const context = contextOf(turn, conversation, call, { canSeeImages: false, sessions: openSessions() })
  takeResult(conversation, call, await runAfterEdit(turn, conversation, { call, result, context }))
}

/** A call that may change something. Before the plan is approved it may not. */
async function runApproved(turn: Turn, conversation: Conversation, call: Call, context: ToolContext): Promise<RanTool> {
  const { isPlanApproved } = conversation
  if (!turn.planApproval || isPlanApproved) return addRules(turn, conversation, call, await runTool(call, context))
  const sandbox = call.name === shellTool.name ? lookOnly(turn.sandbox) : null
  if (sandbox) return runTool(call, { ...context, sandbox })
  const text = `Error: ${call.name} may not be used before your plan is approved. Look around with read, search, list and fetch, then call plan.`
  return { result: { text, output: { error: 'The plan is not approved yet.' }, isError: true }, durationMs: 0 }
}

const LOOKING = ['read', 'list', 'search']

/** With the rules that the repository has for what a call touched, once in a run. */
async function addRules(turn: Turn, { rules: book }: Conversation, call: Call, ran: RanTool): Promise<RanTool> {
  const { sandbox, signal } = turn
  if (!turn.rules.areDetected) return ran
  const rules: Rule[] = []
  for (const touched of touchedBy(turn, call, ran)) {
    const parts = touched === '.' ? [] : touched.split('/')
    const folders = ['.', ...parts.map((_, index) => `./${parts.slice(0, index + 1).join('/')}`)]
    rules.push(...(await findRules({ sandbox, signal, book, folders, touched })))
  }
  if (rules.length === 0) return ran
  const output = { ...ran.result.output, rules: rules.map((rule) => rule.path) }
  return { ...ran, result: { ...ran.result, output, rules } }
}

/** Files and folders of the work, relative to the workspace. */
function touchedBy({ sandbox }: Turn, call: Call, { result }: RanTool): string[] {
  const { path } = call.input
  if (!LOOKING.includes(call.name)) return changedBy(call, result)
  if (result.isError || typeof path !== 'string') return []
  const { shown, isOutside } = resolvePath(sandbox.paths, path)
  return isOutside ? [] : [shown]
}

function isReadOnly(call: Call): boolean {
  return toolNamed(call.name)?.isReadOnly === true
}

function isRepeatable(call: Call): boolean {
  return isReadOnly(call) || toolNamed(call.name)?.isRepeatable === true
}

function contextOf(turn: Turn, conversation: Conversation, call: Call, more: OfWorker): ToolContext {
  return {
    sandbox: turn.sandbox,
    signal: turn.signal,
    secrets: turn.secrets,
    listRefusals: (sinceMs) => turn.listRefusals?.(sinceMs) ?? Promise.resolve([]),
    children: turn.children,
    findTool: (name) => {
      const offered = conversation.mcp?.tools.find((tool) => tool.name === name)
      return offered && mcpTool(offered, turn.mcp)
    },
    callName: stepName(call.key),
    ...more,
    seen: conversation.seen,
    editState: conversation.editState,
    commands: conversation.commands,
    outputSchema: turn.outputSchema,
    wasRefused: conversation.wasRefused,
    failedHooks: [],
    hookRefusals: conversation.hookRefusals,
    hasUntoldLoss: conversation.hasUntoldLoss,
  }
}

function entriesOf(call: Call, result: CallResult, durationMs: number | null): Entry[] {
  const { name, input, thought } = call
  // The end of the run is told by the one who ends it.
  if (name === 'finish' && !result.isError) return []
  if (name === 'plan' && !result.isError) {
    return [{ messageType: 'PLAN_EVALUATION', thought: thought ?? result.text, observation: result.output }]
  }
  return [
    {
      messageType: 'ACTION',
      thought,
      toolName: name,
      toolInput: toolNamed(name)?.loggedInput?.(input) ?? input,
      toolOutput: loggedOutput(result),
      observation: result.text,
      durationMs,
    },
  ]
}
