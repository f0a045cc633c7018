// An agent that speaks the Agent Client Protocol and does what its prompt says: for tests of what drives agents.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

const file = path.join(process.env.HOME, 'session.json')
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (update) => send({ method: 'session/update', params: { sessionId: 'session-1', update } })
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const waiting = new Map()
let asked = 0

const history = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])

function useTool(command, id = `call-${Date.now()}`) {
  update({ sessionUpdate: 'tool_call', toolCallId: id, title: command, name: 'shell', kind: 'execute', status: 'in_progress', rawInput: { command } })
  const output = execFileSync('sh', ['-c', command], { encoding: 'utf8' })
  const content = [{ type: 'content', content: { type: 'text', text: output } }]
  update({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed', content })
}

function askPermission() {
  const id = `ask-${++asked}`
  const options = [
    { optionId: 'never', name: 'No', kind: 'reject_once' },
    { optionId: 'once', name: 'Yes', kind: 'allow_once' },
  ]
  send({ id, method: 'session/request_permission', params: { sessionId: 'session-1', options, toolCall: { toolCallId: id } } })
  return new Promise((resolve) => waiting.set(id, resolve))
}

const acts = {
  fix() {
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'I look ' } })
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'first.' } })
    update({ sessionUpdate: 'plan', entries: [{ content: 'Fix it', status: 'in_progress', priority: 'high' }] })
    say('Now I fix it.')
    useTool('echo fixed > fixed.txt && cat fixed.txt')
    say('It is ')
    say('fixed.')
  },
  token: () => say(`${process.env.TOKEN_VARIABLE === process.env.RUNWRIGHT_RUN_TOKEN ? 'same' : 'other'} ${process.env.MODEL} ${process.env.BASE}`),
  count: () => say(`I was told ${history().length} times.`),
  ask: async () => say(`You said ${(await askPermission()).outcome.optionId}.`),
  newer() {
    for (const odd of [null, 7, [], { sessionUpdate: 'hologram' }, { sessionUpdate: 'tool_call' }, { sessionUpdate: 'plan', entries: 3 }])
      update(odd)
    update({ sessionUpdate: 'agent_message_chunk', content: [{ type: 'smell' }, { type: 'text', text: ' understood' }] })
    send({ id: 'x', method: 'hologram/open', params: {} })
  },
  open: () => update({ sessionUpdate: 'tool_call', toolCallId: 'never', title: 'Wait for ever', kind: 'fetch', status: 'pending' }),
  hang: () => new Promise(() => setInterval(() => {}, 1000)),
  async flood() {
    const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x'.repeat(60_000) } } } })}\n`
    for (;;) if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve))
  },
  line: async () => {
    for (let n = 0; n < 40; n++)
      if (!process.stdout.write('y'.repeat(1024 * 1024))) await new Promise((resolve) => process.stdout.once('drain', resolve))
  },
  deep: () => process.stdout.write(`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"d","title":"deep","status":"completed","rawInput":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}}}\n`),
  die() {
    process.stderr.write('a fatal fault\n')
    process.exit(3)
  },
  refuse: () => 'refusal',
  hold: () => useTool('until test -e .git/held; do sleep 0.05; done'),
  async wait() {
    while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10))
  },
}

const methods = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: process.env.CANNOT_LOAD !== '1', promptCapabilities: { image: true } },
  }),
  authenticate: () => ({}),
  'session/new'() {
    writeFileSync(file, '[]')
    return { sessionId: 'session-1' }
  },
  'session/load'() {
    if (!existsSync(file)) throw new Error('no such session')
    say('What was said before.')
    return {}
  },
  'session/set_mode': () => ({}),
  async 'session/prompt'({ prompt }) {
    const text = prompt[0].text
    writeFileSync(file, JSON.stringify([...history(), prompt]))
    const isNew = !text.startsWith('You were interrupted')
    if (!isNew) update({ sessionUpdate: 'plan', entries: [{ content: 'Look around', status: 'in_progress' }] })
    const words = (isNew && /DO:([a-z,]+)/.exec(text)?.[1].split(',')) || ['count']
    let stopReason
    for (const word of words) stopReason = await acts[word]()
    return { stopReason: typeof stopReason === 'string' ? stopReason : 'end_turn' }
  },
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.(result)
  if (id === undefined) return
  try {
    send({ id, result: await methods[method](params) })
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } })
  }
})
process.stdin.on('end', () => process.exit(0))
