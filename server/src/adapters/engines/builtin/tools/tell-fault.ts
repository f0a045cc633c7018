import { checkSyntax } from '#adapters/engines/syntax/check-syntax.ts'
import type { JsonObject } from '#base/json.ts'
import type { ToolContext } from './tool.ts'

const LINE_CHARACTERS_MAX = 200

type Changed = { path: string; before: string | null; after: string }

/** What the answer to a change says of a fault that it brought into the file's syntax; empty where it brought none. */
export async function tellFault(
  { sandbox }: ToolContext,
  changed: Changed,
): Promise<{ text: string; output: JsonObject }> {
  const fault = await checkSyntax({ ...changed, key: sandbox.id })
  if (!fault) return { text: '', output: {} }
  const { line, column, endLine, reason } = fault
  const source = changed.after.split('\n')[line - 1]?.trim().slice(0, LINE_CHARACTERS_MAX).toWellFormed() ?? ''
  const end = endLine === undefined ? '' : `, up to line ${endLine}`
  const before = changed.before === null ? '' : ' Before this change the file had none.'
  const text = `\nSyntax error at line ${line}, column ${column}${end}: ${source}${reason ? ` (${reason})` : ''}.${before}`
  return { text, output: { syntax_error: { ...fault } } }
}
