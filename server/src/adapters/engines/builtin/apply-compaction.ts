import type { ModelMessage, ToolModelMessage } from 'ai'
import type { Compaction } from './conversation.ts'

/** Shorter results stay: their place-holder would be no shorter. */
const RESULT_CHARACTERS_MIN = 200

type ResultPart = ToolModelMessage['content'][number]

/** The messages after a compaction. The first one, the task, always stays. */
export function applyCompaction(
  messages: readonly ModelMessage[],
  { leaveOutBefore, summary }: Compaction,
): ModelMessage[] {
  const calls = callsIn(messages)
  const shortened = messages.map((message, index) => {
    if (message.role !== 'tool' || index >= leaveOutBefore) return message
    return { ...message, content: message.content.map((part) => leaveOut(part, calls)) }
  })
  const [task, ...others] = shortened
  if (!summary || !task) return shortened
  const note = `Earlier work was left out here to save room. This is what happened in it:\n\n${summary.text}`
  return [task, { role: 'user', content: note }, ...others.slice(summary.keepFrom - 1)]
}

function leaveOut(part: ResultPart, calls: Map<string, string>): ResultPart {
  if (part.type !== 'tool-result') return part
  const size = JSON.stringify(part.output).length
  if (size < RESULT_CHARACTERS_MIN) return part
  const call = calls.get(part.toolCallId) ?? part.toolName
  const text = part.output.type === 'text' ? part.output.value : ''
  const last = text.slice(Math.max(0, text.lastIndexOf('[exit ')))
  const ending = /^\[(exit \d+)(?:[^\]\d][^\]]*)?\](?:\n<\/data[^>]*>)?$/.exec(last)?.[1]
  const value = `[result left out: ${call}${ending ? `, ${ending}` : ''}, ${Math.ceil(size / 1024)} KB]`
  return { ...part, output: { type: part.output.type === 'error-text' ? 'error-text' : 'text', value } }
}

/** Each call in a few words: `shell 'npm test'`. */
function callsIn(messages: readonly ModelMessage[]): Map<string, string> {
  const calls = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, describeCall(part.toolName, part.input))
    }
  }
  return calls
}

function describeCall(name: string, input: unknown): string {
  const fields = (input ?? {}) as Record<string, unknown>
  const main = fields['command'] ?? fields['path'] ?? fields['pattern']
  return typeof main === 'string' ? `${name} '${main.slice(0, 120)}'` : name
}
