import type { JsonObject } from '#base/json.ts'
import type { EditState, RanCommand } from './tools/tool.ts'

export type RunningSession = { command: string; isStale: boolean }
type SessionOutput = RunningSession & {
  session: string
  running: boolean
  seconds: number
  /** Left out where it runs, and where it was stopped. */
  exit_code?: number | null
}

type Evidence = { commands: RanCommand[]; sessions: Map<string, RunningSession>; editState: EditState }
type RanCall = { key: string; input: JsonObject }

/** Whatever ran before says nothing of the work any more. */
export function takeEdit(conversation: Evidence): void {
  conversation.editState = 'unchecked'
  conversation.commands = conversation.commands.map((command) => ({ ...command, isStale: true }))
  for (const session of conversation.sessions.values()) session.isStale = true
}

export function takeCommand(conversation: Evidence, call: RanCall, output: JsonObject): void {
  const { exit_code: exitCode, seconds } = output as { exit_code: number | null; seconds: number }
  const { command } = call.input as { command: string }
  addCommand(conversation, { step: stepName(call.key), command, exitCode, seconds, isStale: false })
}

/** One that was stopped says nothing of the work; one that was started before the last edit says nothing of that. */
export function takeSession(conversation: Evidence, call: RanCall, output: JsonObject): void {
  const { session: id, command, running, seconds } = output as SessionOutput
  const isStale = conversation.sessions.get(id)?.isStale ?? call.input['command'] === undefined
  if (running) {
    conversation.sessions.set(id, { command, isStale })
    return
  }
  // What has ended may be read again.
  const isNews = conversation.sessions.delete(id) || call.input['command'] !== undefined
  const { exit_code: exitCode } = output as SessionOutput
  if (!isNews || exitCode === undefined) return
  addCommand(conversation, { step: stepName(call.key), command, exitCode, seconds, isStale })
}

function addCommand(conversation: Evidence, ran: RanCommand): void {
  conversation.commands.push(ran)
  const { editState } = conversation
  const { exitCode, isStale } = ran
  if (isStale) return
  if (editState === 'unchecked' || editState === 'failing')
    conversation.editState = exitCode === 0 ? 'checked' : 'failing'
}

/** How models, people and files name a call: `t1-3.1` for the key `t1/tool/3.1`, `t1-agent-4` for `t1/agent/4`. */
export function stepName(key: string): string {
  return key.replace('/tool/', '-').replace('/agent/', '-agent-')
}
