// Inside a sandbox: what joins an agent to the tools that the service offers it. `listen` holds the socket and speaks with the
// service by its own input and output, one JSON a line: which connection, and a line of it, or none once it has ended.
// `connect` is the MCP server that the agent starts; it hands on what it reads.
import { createServer, connect } from 'node:net'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , role, path] = process.argv
const LINE_CHARACTERS_MAX = 4_000_000
const TRIES_MAX = 50
const AGAIN_MS = 100

if (role === 'listen') listen()
else join(0)

function listen() {
  const connections = new Map()
  let made = 0
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
  rmSync(path, { force: true })
  createServer((socket) => {
    const id = ++made
    let rest = ''
    connections.set(id, socket)
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()
      for (const line of lines) say({ id, line })
      if (rest.length > LINE_CHARACTERS_MAX) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      connections.delete(id)
      say({ id })
    })
  }).listen(path, () => say({ id: 0 }))
  createInterface({ input: process.stdin }).on('line', (text) => {
    const { id, line } = JSON.parse(text)
    connections.get(id)?.write(`${line}\n`)
  })
  process.stdin.on('end', () => process.exit(0))
}

function join(tries) {
  const socket = connect(path)
  let isOpen = false
  socket.on('connect', () => {
    isOpen = true
    process.stdin.pipe(socket)
    socket.pipe(process.stdout)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    if (isOpen || tries >= TRIES_MAX) process.exit(isOpen ? 0 : 1)
    setTimeout(() => join(tries + 1), AGAIN_MS)
  })
}
