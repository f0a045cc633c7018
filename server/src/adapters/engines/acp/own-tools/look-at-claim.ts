import { answerOf } from '#adapters/engines/builtin/next-move.ts'
import { runBeforeFinish } from '#adapters/engines/builtin/run-hooks.ts'
import { runTool } from '#adapters/engines/builtin/run-tool.ts'
import { stepName } from '#adapters/engines/builtin/take-command.ts'
import { finishTool } from '#adapters/engines/builtin/tools/finish.ts'
import { runInside } from '#adapters/engines/builtin/tools/run-inside.ts'
import { shellTool } from '#adapters/engines/builtin/tools/shell.ts'
import {
  loggedOutput,
  type EditState,
  type RanCommand,
  type ToolContext,
} from '#adapters/engines/builtin/tools/tool.ts'
import type { Answer, Outcome, Turn } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { contextOf } from './own-tools.ts'

const CHECKS_MAX = 5
const CHECK_SECONDS = 600
const LOOK_MS = 60_000

export type LookAtClaim = {
  /** What the agent has called `finish` with. */
  claim: JsonObject
  thought: string | null
  /** The work tree as it was when the turn began. */
  treeBefore: string
  /** Which of the turn's claims it is, from 1 on: no other one has this number, also not of a worker that was lost. */
  number: number
  /** How often one was refused, and how often for the repository's hooks. */
  refused: { times: number; forHooks: number }
  seal: string
}

/**
 * Looks whether the work may end as the agent says. What it says of commands counts for nothing: those that it names are run here, in its
 * sandbox, and each is a step of its own.
 */
export async function lookAtClaim(
  turn: Turn,
  { claim, thought, treeBefore, number, refused, seal }: LookAtClaim,
): Promise<{ answer: Answer } | { refusal: string; isForHooks: boolean }> {
  const key = (n: number) => `t${turn.number}/tool/${number}.${n}`
  const commands: RanCommand[] = []
  for (const [index, command] of commandsOf(claim).entries())
    commands.push(await runCheck(turn, { key: key(index + 1), command }))
  const isEdited = (await describeTree(turn)) !== treeBefore
  const call = { key: key(0), id: key(0), name: finishTool.name, input: withCommands(claim, commands), thought }
  const context: ToolContext = {
    ...contextOf(turn, call.key),
    commands,
    editState: editStateOf(isEdited, commands),
    wasRefused: refused.times > 0,
    hookRefusals: refused.forHooks,
  }
  const first = await runTool(call, context)
  if (first.result.isError) return { refusal: first.result.text, isForHooks: false }
  const failedHooks = isEdited || commands.length > 0 ? await runBeforeFinish(turn, { seal }, { call, context }) : []
  const { result } = await runTool(call, { ...context, failedHooks })
  if (result.isError) return { refusal: result.text, isForHooks: true }
  return { answer: answerOf(result.output, thought) }
}

/** The work tree and what is committed, as one line: another one where anything was changed. */
export async function describeTree(turn: Pick<Turn, 'sandbox' | 'signal'>): Promise<string> {
  const shell =
    '{ git rev-parse HEAD && git diff HEAD --binary --no-ext-diff --no-textconv || git ls-files -s; ' +
    'git ls-files -zo --exclude-standard | xargs -0r sha256sum --; } 2>&1 | sha256sum'
  const { stdout } = await runInside(turn, { shell, timeoutMs: LOOK_MS })
  return stdout.toString('utf8').trim()
}

type Claimed = { command?: unknown }

function commandsOf({ checks }: JsonObject): string[] {
  const claimed = (Array.isArray(checks) ? checks : []) as Claimed[]
  const named = claimed.flatMap(({ command }) =>
    typeof command === 'string' && command.trim() ? [command.trim()] : [],
  )
  return [...new Set(named)].slice(0, CHECKS_MAX)
}

/** Each check by the step that ran it here; those that were not run stay as they were claimed. */
function withCommands(claim: JsonObject, commands: readonly RanCommand[]): JsonObject {
  const checks = (Array.isArray(claim['checks']) ? claim['checks'] : []) as (JsonObject & { command?: string })[]
  return {
    ...claim,
    checks: checks.map((claimed) => {
      const { step: _, ...check } = claimed
      const ran = commands.find(({ command }) => command === check.command?.trim())
      return ran ? { ...check, step: ran.step } : check
    }),
  }
}

function editStateOf(isEdited: boolean, commands: readonly RanCommand[]): EditState {
  if (!isEdited) return 'unedited'
  if (commands.length === 0) return 'unchecked'
  return commands.some(({ exitCode }) => exitCode === 0) ? 'checked' : 'failing'
}

/** One in which a worker was lost is not run again by itself: nobody knows how far it came. */
async function runCheck(turn: Turn, { key, command }: { key: string; command: string }): Promise<RanCommand> {
  const step = stepName(key)
  const outcome = (
    ran: Pick<RanCommand, 'exitCode' | 'seconds'>,
    output: JsonObject,
    observation: string,
  ): Outcome<JsonObject> => ({
    response: { ...ran, seen: observation.slice(-1_000).toWellFormed() },
    entries: [{ messageType: 'ACTION', toolName: 'check', toolInput: { command }, toolOutput: output, observation }],
  })
  const act = async () => {
    const input = { command, timeout_seconds: CHECK_SECONDS }
    const { result } = await runTool({ name: shellTool.name, input }, contextOf(turn, key))
    const { exit_code: exitCode = null, seconds = 0 } = result.output as { exit_code?: number | null; seconds?: number }
    return outcome({ exitCode, seconds }, loggedOutput(result), result.text)
  }
  const interrupted = () =>
    outcome({ exitCode: null, seconds: 0 }, { interrupted: true }, 'Interrupted by a restart of the service.')
  const request = { tool: 'check', input: { command } }
  const { exitCode, seconds } = (await turn.step({ key, kind: 'tool', request }, act, { interrupted })) as RanCommand
  return { step, command, exitCode, seconds, isStale: false }
}
