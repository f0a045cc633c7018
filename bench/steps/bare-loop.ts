// The least that any agent does: asks the model over HTTP, runs bash with what it calls for, and asks again. It stores nothing,
// has no sandbox and shows nobody anything. Called with the address of the model.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

type Event = {
  choices?: { delta?: { tool_calls?: { id?: string; function: { name?: string; arguments: string } }[] } }[]
}

const url = `${process.argv[2]!}/chat/completions`
const tools = [{ type: 'function', function: { name: 'shell', parameters: { type: 'object' } } }]
const messages: object[] = [{ role: 'user', content: 'Count' }]

for (let call = await ask(); call && call.name !== 'finish'; call = await ask()) {
  const { command } = JSON.parse(call.arguments) as { command: string }
  const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] })
  messages.push({ role: 'tool', tool_call_id: call.id, content: await text(child.stdout) })
}

async function ask(): Promise<{ id: string; name: string; arguments: string } | undefined> {
  const body = JSON.stringify({ model: 'scripted-1', stream: true, messages, tools })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: {'))
  const events = lines.map((line) => JSON.parse(line.slice('data: '.length)) as Event)
  const pieces = events.flatMap(({ choices }) => choices?.[0]?.delta?.tool_calls ?? [])
  if (!pieces.length) return undefined
  const [first] = pieces
  const call = {
    id: first?.id ?? '',
    name: first?.function.name ?? '',
    arguments: pieces.map((piece) => piece.function.arguments).join(''),
  }
  const { id, ...called } = call
  messages.push({ role: 'assistant', tool_calls: [{ id, type: 'function', function: called }] })
  return call
}
