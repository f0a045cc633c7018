import { quoteWord } from '#base/quote-word.ts'
import type { Outcome, Turn } from '#adapters/engines/engine.ts'
import type { Hooks } from '#base/hooks.ts'
import type { JsonObject } from '#base/json.ts'
import { markForeign } from '#base/text/mark-foreign.ts'
import { matchPath } from '#base/text/match-path.ts'
import { addHooks, hookKey, type HookResult } from './add-hooks.ts'
import { writtenBy } from './changed-by.ts'
import { type Call, type CallResult, type Conversation } from './conversation.ts'
import { runTool } from './run-tool.ts'
import { stepName } from './take-command.ts'
import { shellTool } from './tools/shell.ts'
import { runInside } from './tools/run-inside.ts'
import { loggedOutput, type ToolContext } from './tools/tool.ts'

const AFTER_EDIT_SECONDS = 60
const BEFORE_FINISH_SECONDS = 600
const LIST_MS = 20_000
/** Of what a hook has printed the model sees this much, the end: the whole is in the log. */
const OUTPUT_CHARACTERS_MAX = 4_000

type Hook = { name: 'after_edit' | 'before_finish'; command: string; path?: string; seconds: number }

/** What the model is told of a change to a file, with what the repository's hooks have done since. */
export async function runAfterEdit(
  turn: Turn,
  conversation: Conversation,
  { call, result, context }: { call: Call; result: CallResult; context: ToolContext },
): Promise<CallResult> {
  const hooks = writtenBy(call, result).flatMap((path) => hooksOf(turn, path).map(({ command }) => ({ command, path })))
  const ran: HookResult[] = []
  for (const [index, { command, path }] of hooks.entries())
    ran.push(await runEditHook(turn, { call, index, command, path, context }))
  return addHooks(conversation, { call, result, hooks: ran })
}

/** What the repository has run after a change to this file. */
export const hooksOf = ({ hooks }: Pick<Turn, 'hooks'>, path: string): Hooks['afterEdit'] =>
  (hooks?.afterEdit ?? []).filter(
    ({ paths }) => paths.length === 0 || paths.some((pattern) => matchPath(pattern, path)),
  )

type RunEditHook = Omit<RunHook, 'hook'> & { command: string; path: string }

/** One of them, for one change of one file. */
export const runEditHook = (turn: Turn, { command, path, ...where }: RunEditHook): Promise<HookResult> =>
  runHook(turn, { ...where, hook: { name: 'after_edit', command, path, seconds: AFTER_EDIT_SECONDS } })

/** The key of the step of a call's hook. */
export const hookStepKey = (call: { key: string }, index: number): string => `${hookKey(call.key)}${index + 1}`

/** Runs what the repository has run before the work ends, and answers with what failed of it. */
export async function runBeforeFinish(
  turn: Turn,
  { seal }: Pick<Conversation, 'seal'>,
  { call, context }: { call: Call; context: ToolContext },
): Promise<ToolContext['failedHooks']> {
  const failed: { command: string; text: string }[] = []
  for (const [index, command] of (turn.hooks?.beforeFinish ?? []).entries()) {
    const hook: Hook = { name: 'before_finish', command, seconds: BEFORE_FINISH_SECONDS }
    const { text, isFailed } = await runHook(turn, { call, index, hook, context })
    if (isFailed) failed.push({ command, text: seal === null ? text : markForeign(text, { from: hook.name, seal }) })
  }
  return failed
}

type RunHook = { call: Pick<Call, 'key'>; index: number; hook: Hook; context: ToolContext }

/** A step of its own. One in which a worker was lost is not run again: nobody knows how far it came. */
async function runHook(turn: Turn, { call, index, hook, context }: RunHook): Promise<HookResult> {
  const { name, command, path, seconds } = hook
  const input: JsonObject = { command, ...(path !== undefined && { path }) }
  const key = hookStepKey(call, index)
  const outcome = (
    result: HookResult,
    output: JsonObject,
    durationMs: number | null,
  ): Outcome<HookResult & JsonObject> => ({
    response: result,
    entries: [
      {
        messageType: 'ACTION',
        toolName: name,
        toolInput: input,
        toolOutput: { ...output, ...(result.changed.length > 0 && { changed: result.changed }) },
        observation: result.text,
        durationMs,
      },
    ],
  })
  const act = async () => {
    const before = name === 'after_edit' ? await listChanged(context) : null
    const shell = { command: withPath(command, path), timeout_seconds: seconds }
    const callName = `${stepName(call.key)}-hook-${index + 1}`
    const { result, durationMs } = await runTool({ name: shellTool.name, input: shell }, { ...context, callName })
    const changed = before ? compareFiles(before, await listChanged(context)) : []
    const isFailed = result.isError === true || result.output['exit_code'] !== 0
    return outcome({ text: `$ ${command}\n${endOf(result.text)}`, isFailed, changed }, loggedOutput(result), durationMs)
  }
  const interrupted = () => {
    const text = `$ ${command}\nInterrupted by a restart of the service; its effect is unknown.`
    return outcome({ text, isFailed: true, changed: [] }, { interrupted: true }, null)
  }
  return turn.step({ key, kind: 'tool', request: { id: key, name, input } }, act, { interrupted })
}

const withPath = (command: string, path: string | undefined) =>
  path === undefined ? command : `set -- ${quoteWord(path)}\n${command}`

const endOf = (text: string) =>
  text.length > OUTPUT_CHARACTERS_MAX ? `[…]${text.slice(-OUTPUT_CHARACTERS_MAX).toWellFormed()}` : text

/** Files that differ from the newest commit, with their time and size: enough to tell which of them a command changed. */
async function listChanged(context: ToolContext): Promise<Map<string, string>> {
  const list = 'git ls-files -zmo --exclude-standard --deduplicate'
  const shell = `${list} | xargs -0r stat --printf '%n\\t%.9Z %s\\0' -- 2>/dev/null`
  const { stdout } = await runInside(context, { argv: ['bash', '-c', shell], timeoutMs: LIST_MS })
  const files = stdout.toString('utf8').split('\0').filter(Boolean)
  return new Map(files.map((file) => [file.slice(0, file.lastIndexOf('\t')), file.slice(file.lastIndexOf('\t'))]))
}

function compareFiles(before: Map<string, string>, after: Map<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).slice(0, 1_000)
}
