import { probeLimits } from './findings.ts'
import { shortLines } from './short-lines.ts'

/** One command of a script, and how many lines below its beginning it stands. */
export type ScriptLine = { command: string; below: number }

const opensBlock = /^(?:if|for|while|until|case|function)\b|<<-?['"]?\w|^\w{1,200}\s{0,9}\(\)\s{0,9}\{/

/**
 * A script's commands, one for each line, with lines that end in a backslash put together. Undefined where lines belong
 * together otherwise (a loop, a condition, a text given in place): that is one command.
 */
export function splitScript(script: string): ScriptLine[] | undefined {
  const all = shortLines(script)
  if (all.some((line) => opensBlock.test(line.trim()))) return undefined
  const lines: ScriptLine[] = []
  let begun: ScriptLine | undefined
  let isTooLong = false
  for (const [below, line] of all.entries()) {
    const text = line.trim()
    if (!begun && (text === '' || text.startsWith('#') || /^set -\w+$/.test(text))) continue
    const isOpen: boolean = text.endsWith('\\')
    const part: string = isOpen ? text.slice(0, -1).trim() : text
    // What is too long already is not made longer: it is left out in the end.
    isTooLong ||= (begun?.command.length ?? 0) > probeLimits.commandCharactersMax
    begun = {
      command: !begun ? part : isTooLong ? begun.command : `${begun.command} ${part}`.trim(),
      below: begun?.below ?? below,
    }
    if (isOpen) continue
    lines.push(begun)
    begun = undefined
    isTooLong = false
    if (lines.length >= probeLimits.commandsMax) break
  }
  if (begun) lines.push(begun)
  return lines.filter(({ command }) => command.length <= probeLimits.commandCharactersMax)
}
