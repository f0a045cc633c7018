// An agent that speaks the Agent Client Protocol and does what its prompt says: for tests of what drives agents.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'

const file = path.join(process.env.HOME, 'session.json')
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (update) => send({ method: 'session/update', params: { sessionId: 'session-1', update } })
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const waiting = new Map()
let asked = 0
let edits = 0
let cancelled

let servers = []

const history = () => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

function useTool(command, id = `call-${Date.now()}`) {
  update({ sessionUpdate: 'tool_call', toolCallId: id, title: command, name: 'shell', kind: 'execute', status: 'in_progress', rawInput: { command } })
  const output = execFileSync('sh', ['-c', command], { encoding: 'utf8' })
  const content = [{ type: 'content', content: { type: 'text', text: output } }]
  update({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed', content })
}

/** A tool that edits: what it changes is shown when it begins, as a change or as places. */
function useEditor(paths, { shown = 'diff', status = 'completed' } = {}) {
  const id = `edit-${++edits}`
  const content = shown === 'diff' ? paths.map((path) => ({ type: 'diff', path, oldText: '', newText: 'fixed\n' })) : []
  const locations = paths.map((path) => ({ path }))
  update({ sessionUpdate: 'tool_call', toolCallId: id, title: 'Edit', kind: 'edit', status: 'in_progress', content, locations })
  update({ sessionUpdate: 'tool_call_update', toolCallId: id, status, content: [] })
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

/** The MCP server that it was given, asked for its tools. */
let server
const answers = new Map()
let requests = 0

function ask(method, params) {
  const id = ++requests
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  return new Promise((resolve) => answers.set(id, resolve))
}

async function listTools() {
  if (!server) {
    const { command, args } = servers[0]
    server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: server.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line)
      answers.get(id)?.(result ?? error)
    })
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } })
    server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  }
  return (await ask('tools/list', {})).tools
}

async function callTool(name, input) {
  await listTools()
  const id = `mcp-${++requests}`
  update({ sessionUpdate: 'tool_call', toolCallId: id, title: `mcp__runwright__${name}`, kind: 'other', status: 'in_progress', rawInput: input })
  const { content } = await ask('tools/call', { name, arguments: input })
  update({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed', content: [] })
  return content.map(({ text }) => text).join('')
}

const summary = 'It is fixed.'

const acts = {
  tools: async () => say((await listTools()).map(({ name }) => name).join(' ')),
  finish: async () => say(await callTool('finish', { title: 'Fix it', summary, checks: [{ command: 'grep -q fixed fixed.txt', passed: true }] })),
  lie: async () => say(await callTool('finish', { summary, checks: [{ command: 'grep -q lie fixed.txt', passed: true }] })),
  careless: async () => say(await callTool('finish', { summary })),
  excuse: async () => say(await callTool('finish', { summary, checks: [{ command: 'false' }], open: ['It cannot pass here.'] })),
  wrong: async () => say(await callTool('finish', { summary, output: { fixed: 'perhaps' } })),
  right: async () => say(await callTool('finish', { summary, output: { fixed: true } })),
  odd: async () => say([await callTool('finish', { summary: 7 }), await callTool('format_disk', {})].join(' ')),
  question: async () => say(`You said ${await callTool('ask_person', { question: 'Which one?', options: ['this', 'that'] })}.`),
  plan: async () => say(await callTool('plan', { steps: [{ text: 'Fix it', status: 'pending' }], risks: ['None'] })),
  locate: async () => say(await callTool('locate_fault', {})),
  child: async () => say(await callTool('start_run', { prompt: 'Do a part' })),
  echo: async () => say(await callTool('linear__echo', { text: 'hello' })),
  async fork() {
    const spawned = () => new Promise((resolve) => {
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
      child.on('error', (error) => resolve(error.code)).on('spawn', () => resolve(null))
    })
    for (;;) {
      const code = await spawned()
      if (code) return say(`No more: ${code}`)
    }
  },
  home() {
    for (const name of readdirSync(process.env.HOME)) rmSync(path.join(process.env.HOME, name), { recursive: true, force: true })
    writeFileSync(file, 'x'.repeat(1_000_000))
    say('My home is mine.')
  },
  async knock() {
    const { args } = servers[0]
    const socket = connect(args.at(-1)).on('error', () => {})
    for (const line of ['{', 'null', '[1]', '{"id":{}}', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":7}']) socket.write(`${line}\n`)
    socket.write('z'.repeat(5_000_000))
    await listTools()
    const calls = Array.from({ length: 500 }, () => ask('tools/call', { name: 'finish', arguments: { summary: 7 } }))
    const texts = (await Promise.all(calls)).map(({ content }) => content?.[0].text ?? '')
    say(`${texts.filter((text) => text.includes('too many')).length} were too many.`)
  },
  write() {
    try {
      writeFileSync('written.txt', 'x')
      say('written')
    } catch (error) {
      say(error.code)
    }
  },
  fix() {
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'I look ' } })
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'first.' } })
    update({ sessionUpdate: 'plan', entries: [{ content: 'Fix it', status: 'in_progress', priority: 'high' }] })
    say('Now I fix it.')
    useTool('echo fixed > fixed.txt && cat fixed.txt')
    say('It is ')
    say('fixed.')
  },
  edit() {
    writeFileSync('fixed.txt', 'fixed\n')
    useEditor([path.resolve('fixed.txt')])
  },
  place() {
    for (const name of ['fixed.txt', "it's.txt"]) writeFileSync(name, 'fixed\n')
    useEditor([path.resolve('fixed.txt'), "it's.txt"], { shown: 'places' })
  },
  stray() {
    writeFileSync('fixed.txt', 'fixed\n')
    useEditor(['/etc/passwd', '../above.txt', path.resolve('gone.txt'), '', 'x'.repeat(5_000), 'a\0b', path.resolve('.')])
    useEditor([path.resolve('fixed.txt')], { status: 'failed' })
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
  warn() {
    for (const severity of ['info', 'warning', 'error'])
      update({ sessionUpdate: 'notice', severity, title: `A notice: ${severity}`, description: 'It is about me.' })
    say('Noted.')
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

/** What stands after `DO:` of the newest task, and after its first, second, … `THEN:` where it is told something else afterwards. */
function wordsNow() {
  const texts = history().map(([{ text }]) => (text.startsWith('You were interrupted') ? '' : text))
  const task = texts.findLastIndex((text) => text.includes('DO:'))
  const groups = [...(texts[task] ?? '').matchAll(/(?:DO|THEN):([a-z,]+)/g)].map(([, words]) => words.split(','))
  return groups[texts.length - 1 - task] ?? ['count']
}

const methods = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: process.env.CANNOT_LOAD !== '1', promptCapabilities: { image: true } },
  }),
  authenticate: () => ({}),
  'session/new'({ mcpServers }) {
    servers = mcpServers
    writeFileSync(file, '[]')
    return { sessionId: 'session-1' }
  },
  'session/load'({ mcpServers }) {
    servers = mcpServers
    if (!existsSync(file)) throw new Error('no such session')
    say('What was said before.')
    return {}
  },
  'session/set_mode': () => ({}),
  async 'session/prompt'({ prompt }) {
    const text = prompt[0].text
    writeFileSync(file, JSON.stringify([...history(), prompt]))
    if (text.startsWith('You were interrupted'))
      update({ sessionUpdate: 'plan', entries: [{ content: 'Look around', status: 'in_progress' }] })
    let stopReason
    const stop = new Promise((resolve) => (cancelled = () => resolve('cancelled')))
    for (const word of wordsNow()) {
      stopReason = await Promise.race([acts[word](), stop])
      if (stopReason === 'cancelled') break
    }
    return { stopReason: typeof stopReason === 'string' ? stopReason : 'end_turn' }
  },
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.(result)
  if (method === 'session/cancel') return cancelled?.()
  if (id === undefined) return
  try {
    send({ id, result: await methods[method](params) })
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } })
  }
})
process.stdin.on('end', () => process.exit(0))
