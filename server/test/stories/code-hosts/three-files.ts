// Three files of an agent's pull request, a review of them in eight comments, and how the agent's model is played.
import { after } from 'node:test'
import type { JsonObject } from '#base/json.ts'
import { startModelServer, type ModelServer, type ModelServerRequest, type ScriptedReply } from '#test/model-server.ts'

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `export const ${name}${n + 1} = ${n + 1}\n`).join('')
export const files = { 'one.js': lines('one', 6), 'two.js': lines('two', 6), 'three.js': lines('three', 6) }
export const comments = [
  { path: 'one.js', line: 1, body: 'Is one the right word?' },
  { path: 'one.js', start_line: 2, line: 3, body: 'Can these two be one?' },
  { path: 'one.js', line: 6, body: 'Rename it.' },
  { path: 'two.js', line: 1, body: 'And this?' },
  { path: 'two.js', line: 2, body: 'Rename it too.' },
  { path: 'two.js', line: 4, body: 'And this one.' },
  { path: 'three.js', line: 3, body: 'Why three?' },
  { path: 'three.js', line: 5, body: 'Rename it as well.' },
]

export type Say = ScriptedReply | ((request: ModelServerRequest) => ScriptedReply)

/** A model that says what is pushed to `script`, one after the other. */
export async function startScriptedModel(): Promise<{ model: ModelServer; script: Say[] }> {
  const script: Say[] = []
  const model = await startModelServer((request) => {
    const say = script.shift()
    if (!say) return { status: 400, message: 'nobody knows what to say' }
    return typeof say === 'function' ? say(request) : say
  })
  after(() => model.close())
  return { model, script }
}

export const write = (written: Record<string, string>): ScriptedReply => ({
  calls: Object.entries(written).map(([path, content]) => ({ name: 'write', input: { path, content } })),
})
export const look: ScriptedReply = { calls: [{ name: 'shell', input: { command: 'node --check one.js' } }] }
export const finish = (summary: string, replies: JsonObject[] = []): ScriptedReply => ({
  calls: [{ name: 'finish', input: { summary, checks: [], replies } }],
})
/** Of the words that the agent has read last. */
export const numbersIn = ({ text }: ModelServerRequest) =>
  [...text.matchAll(/\(comment (\d+)\)/g)].map(([, each]) => each)
