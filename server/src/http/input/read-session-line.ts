import type { JsonObject } from '#base/json.ts'
import type { SessionPart } from '#domain/runs/outside-sessions/outside-session.ts'

type Block = {
  type?: unknown
  text?: unknown
  id?: unknown
  name?: unknown
  input?: unknown
  tool_use_id?: unknown
  content?: unknown
  is_error?: unknown
}

/** What a line of the log that Claude Code keeps of a session tells; nothing for what is of no interest here, or not understood. */
export function readSessionLine(line: Record<string, unknown>): SessionPart[] {
  const { type, message, isSidechain, isMeta } = line
  if (isSidechain === true || isMeta === true || typeof message !== 'object' || message === null) return []
  const { content } = message as { content?: unknown }
  const blocks: Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : blocksOf(content)
  if (type === 'user') return blocks.flatMap((block) => ofPerson(block))
  return type === 'assistant' ? blocks.flatMap((block) => ofAgent(block)) : []
}

const blocksOf = (content: unknown): Block[] =>
  Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : []

function ofPerson({ type, text, tool_use_id: id, content, is_error: isError }: Block): SessionPart[] {
  if (type === 'text' && isText(text)) return [{ kind: 'prompt', text }]
  if (type !== 'tool_result' || !isText(id)) return []
  const output = typeof content === 'string' ? content : textsOf(content)
  return [{ kind: 'result', id, output: { output }, isError: isError === true }]
}

function ofAgent({ type, text, id, name, input }: Block): SessionPart[] {
  if (type === 'text' && isText(text)) return [{ kind: 'answer', text }]
  if (type !== 'tool_use' || !isText(id) || !isText(name)) return []
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return [{ kind: 'call', id, name, input: isObject ? (input as JsonObject) : {} }]
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const textsOf = (content: unknown): string =>
  blocksOf(content)
    .flatMap(({ text }) => (isText(text) ? [text] : []))
    .join('\n')
