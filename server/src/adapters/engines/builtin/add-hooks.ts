import { markForeign } from '#base/text/mark-foreign.ts'
import type { Call, CallResult, Conversation } from './conversation.ts'
import { toolNamed } from './tools/all-tools.ts'

const CHANGED_MAX = 20

/** What is stored of a hook. */
export type HookResult = { text: string; isFailed: boolean; changed: string[] }

/** What the model is told of a change to a file, with what the repository's hooks have done since: what they changed, and which failed. */
export function addHooks(
  { seal }: Conversation,
  { call, result, hooks }: { call: Call; result: CallResult; hooks: readonly HookResult[] },
): CallResult {
  const lines = hooks.flatMap(({ text, isFailed, changed }) => {
    const more = changed.length > CHANGED_MAX ? ` and ${changed.length - CHANGED_MAX} more` : ''
    const names = `It changed ${changed.slice(0, CHANGED_MAX).join(', ')}${more}: read what you edit next.`
    return [...(changed.length > 0 ? [names] : []), ...(isFailed ? [text] : [])]
  })
  if (lines.length === 0) return result
  const words = `The repository's hook after_edit has run.\n${lines.join('\n')}`
  const isMarked = seal === null || toolNamed(call.name)?.isFromOutside === true
  const shown = isMarked ? words : markForeign(words, { from: 'after_edit', seal })
  return { ...result, text: `${result.text}\n\n${shown}` }
}

/** What the key of a hook's step begins with, by the call that it belongs to. */
export const hookKey = (call: string) => `${call}/hook/`
