import type { Json, JsonObject } from '#base/json.ts'
import { asObject, isGiven, refused } from './call-parts.ts'

/** What a conversation of the responses wire is made of, where the agent holds it itself. */
const known = new Set([
  'message',
  'reasoning',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'tool_search_call',
  'tool_search_output',
])

/**
 * Items that name what is stored with the provider, with or without saying so, are refused: it looks them up among those of
 * everybody who has the same key. Throws `CallRefused`.
 */
export function confineInput(input: Json | undefined): JsonObject {
  return Array.isArray(input) ? { input: input.map(confineItem) } : {}
}

function confineItem(item: Json): Json {
  const { type, ...parts } = asObject(item)
  // Whatever has neither type nor role is a reference too.
  if (!isGiven(type) && isGiven(parts['role']) && parts['content'] !== undefined) return item
  if (typeof type !== 'string' || !known.has(type)) {
    const name = typeof type === 'string' ? type.slice(0, 60) : 'item_reference'
    throw refused(`An item of the input of type "${name}" may not be used here: send what it holds instead.`)
  }
  if (type !== 'reasoning' || isGiven(parts['encrypted_content'])) return item
  const { id: _, ...rest } = parts
  return { type, ...rest }
}
