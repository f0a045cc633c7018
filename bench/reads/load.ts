// A client in a process of its own: keeps so many keep-alive connections busy with GET and says how many answers came.
// Each line on stdin is an order `{url, tokens, connections, ms, pages}`; `{n}` in the url counts up to `pages` and around,
// going on where the last order for the same url ended, and the tokens take turns.
// It speaks over bare sockets and only counts the bytes of a body, so that what is measured is the server.
import net from 'node:net'
import { createInterface } from 'node:readline'

type Order = { url: string; tokens: string[]; connections: number; ms: number; pages: number }

const sentBefore = new Map<string, number>()

async function work({ url, tokens, connections, ms, pages }: Order): Promise<{ perSecond: number }> {
  const { host, hostname, port } = new URL(url)
  const target = url.slice(url.indexOf(host) + host.length)
  const begun = performance.now()
  let sent = sentBefore.get(url) ?? 0
  let done = 0
  const next = () => {
    if (performance.now() - begun >= ms) return undefined
    const token = tokens[sent % tokens.length]
    const path = target.replace('{n}', String((sent++ % pages) * 100))
    return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  }
  const open = () => converse(net.connect(Number(port), hostname), { next, onAnswer: () => done++ })
  await Promise.all(Array.from({ length: connections }, open))
  sentBefore.set(url, sent)
  return { perSecond: (done / (performance.now() - begun)) * 1000 }
}

type Talk = { next: () => string | undefined; onAnswer: () => void }

/** One request after the other on one connection. */
function converse(socket: net.Socket, { next, onAnswer }: Talk): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let head = ''
  let bytesLeft = 0
  const send = () => {
    const request = next()
    if (request) socket.write(request)
    else socket.end()
  }
  socket.on('data', (chunk: Buffer) => {
    let body = chunk.length
    if (bytesLeft === 0) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head))
      bytesLeft = Number(/\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1])
      body = head.length - end - 4
      head = ''
    }
    bytesLeft -= body
    if (bytesLeft > 0) return
    onAnswer()
    send()
  })
  socket
    .setNoDelay(true)
    .on('connect', send)
    .on('error', reject)
    .on('close', () => resolve())
  return promise
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await work(JSON.parse(line) as Order))}\n`)
}
