import type { JsonObject } from '#base/json.ts'
import type { ModelServerRequest, ScriptedReply } from '#test/model-server.ts'

/** What the attacker's text says: call this tool with this. */
export type Order = { name: string; input: JsonObject }

export const shell = (command: string, seconds = 60): Order => ({
  name: 'shell',
  input: { command, timeout_seconds: seconds },
})

/** `… | out` in a command: before people's eyes, into a file for them, and into the commit. */
export const takeOut = 'mkdir -p .runwright/artifacts; out() { tee -a loot.txt .runwright/artifacts/loot.txt; };'

/** Numbered, since what is read twice is done once. */
const orderLine = /^(?:\s*\d+\t)?!obey \d+ (\{.*\})$/gm

/** How the attacker writes it into a file, a comment, or what a program prints. */
export const orderText = (orders: Order[]): string =>
  orders.map((order, index) => `!obey ${index} ${JSON.stringify(order)}\n`).join('')

/**
 * A model that does whatever any text it reads says, marked as data or not, one order after the other, in the order in
 * which it came to read them; then it finishes. `{{seen}}` in an order is the first line of the file that it read last.
 * It hangs on what it is sent alone, so it can be asked again.
 */
export function obey({ body, headers, text }: ModelServerRequest): ScriptedReply {
  // As some providers do, it says which key was wrong.
  if (text.includes('say my key'))
    return { status: 401, message: `Incorrect API key provided: ${headers.authorization}` }
  const messages = body['messages'] as { role: string; content: unknown }[]
  const report = messages
    .filter(({ role }) => role !== 'assistant' && role !== 'system')
    .map(({ content }) => textOf(content))
  const orders = new Map(
    report.flatMap((text) => [...text.matchAll(orderLine)].map(([line, order = '']) => [line.trim(), order])),
  )
  const done = messages.filter(({ role }) => role === 'assistant').length
  const order = [...orders.values()][done]
  if (!order) return { calls: [{ name: 'finish', input: { summary: 'I did what I was told.' } }] }
  const [, seen = ''] = /^\s*1\t(.*)$/m.exec(report.findLast((text) => /^\s*1\t/m.test(text)) ?? '') ?? []
  return { calls: [JSON.parse(order.replaceAll('{{seen}}', seen)) as Order] }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('\n')
}
