import type { AgentRunLog } from '@runwright/sdk'
import { factsOf } from './entry-facts.ts'

export type RanCommand = { seq: number; command: string; exitCode: number }

/** What is said of an ended run, by the entries of its log that show it. */
export type Claims = {
  /** The last edit of each file, by the path that the tool was given. */
  edits: ReadonlyMap<string, number>
  /** The last commands, of those that ran after the last edit where there is one. */
  commands: readonly RanCommand[]
  answer: number | null
  pull: number | null
}

/** More commands than these are left to the log. */
const commandsNamed = 3

export function claimsOf(entries: readonly AgentRunLog[]): Claims {
  const edits = new Map<string, number>()
  let commands: RanCommand[] = []
  let answer: number | null = null
  let pull: number | null = null
  for (const entry of entries) {
    const { families, argument, exitCode, kind } = factsOf(entry)
    const { seq, tool_name: tool, message_type: type } = entry
    if (families.has('edit')) {
      edits.set(argument, seq)
      commands = []
    }
    if (exitCode !== null) commands.push({ seq, command: argument || (tool ?? ''), exitCode })
    if (kind === 'answer') answer = seq
    if (type === 'INITIAL_PR_GENERATION') pull = seq
  }
  return { edits, commands: commands.slice(-commandsNamed), answer, pull }
}

/** Tools may be given a path from the top of the disk. */
export function editOf({ edits }: Claims, path: string): number | null {
  const known = edits.get(path)
  if (known !== undefined) return known
  for (const [options, seq] of [...edits].reverse()) if (options.endsWith(`/${path}`)) return seq
  return null
}
