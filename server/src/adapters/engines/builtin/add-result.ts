import type { ModelMessage, ToolModelMessage } from 'ai'
import type { JsonObject } from '#base/json.ts'
import { markForeign } from '#base/text/mark-foreign.ts'
import { composeOutput } from './compose-output.ts'
import type { Rule } from './find-rules.ts'
import { wordsOfRule } from './opening-message.ts'
import { toolNamed } from './tools/all-tools.ts'
import { isMcpName } from './tools/mcp-tool.ts'
import type { ToolResult } from './tools/tool.ts'

/** `seal` stands in the marks around what is from outside; null: nothing is marked. */
type Talk = { messages: ModelMessage[]; seal: string | null }
type Call = { id: string; name: string; input: JsonObject }
type Result = ToolResult & { rules?: Rule[] }

/** All results of one answer make up one message: some providers count them. */
export function addResult(conversation: Talk, call: Call, result: Result): void {
  const part: ToolModelMessage['content'][number] = {
    type: 'tool-result',
    toolCallId: call.id,
    toolName: call.name,
    output: composeOutput({ ...result, text: markResult(conversation, call, result) }),
  }
  const newest = conversation.messages.at(-1)
  if (newest?.role !== 'tool') conversation.messages.push({ role: 'tool', content: [part] })
  else conversation.messages.splice(-1, 1, { ...newest, content: [...newest.content, part] })
}

/** What a tool found is from outside; what only the agent, people and we have said is not. */
function markResult({ seal }: Talk, { name, input }: Call, { text, rules = [] }: Result): string {
  if (seal === null) return text
  const words = rules.map((rule) => `\n\n${wordsOfRule(rule, seal)}`).join('')
  if (!toolNamed(name)?.isFromOutside && !isMcpName(name)) return text + words
  const what = input['command'] ?? input['path'] ?? input['pattern'] ?? input['url']
  return markForeign(text, { from: typeof what === 'string' ? `${name}: ${what}` : name, seal }) + words
}
