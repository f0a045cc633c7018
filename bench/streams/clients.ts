// Clients of an event stream, in a process of their own. The first line on stdin is `{url, token, clients}`; each next one
// is the id of an event, answered, when every client has it, with when each of them got it (milliseconds of the epoch).
import http from 'node:http'
import { createInterface } from 'node:readline'

const arrivals = new Map<number, number[]>()
const waiting = new Map<number, () => void>()
let clients = 0

const lines = createInterface({ input: process.stdin })
for await (const line of lines) {
  const order = JSON.parse(line) as number | { url: string; token: string; clients: number }
  if (typeof order === 'number') {
    if ((arrivals.get(order)?.length ?? 0) < clients) await new Promise<void>((resolve) => waiting.set(order, resolve))
    process.stdout.write(`${JSON.stringify(arrivals.get(order))}\n`)
    continue
  }
  clients = order.clients
  await Promise.all(Array.from({ length: clients }, () => open(order)))
  process.stdout.write('[]\n')
}

function open({ url, token }: { url: string; token: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (response) => {
      let rest = ''
      response.setEncoding('latin1').on('data', (chunk: string) => {
        const at = performance.timeOrigin + performance.now()
        const parts = `${rest}${chunk}`.split('\n')
        rest = parts.pop() ?? ''
        for (const part of parts) if (part.startsWith('id: ')) arrive(Number(part.slice(4)), at)
      })
      resolve()
    })
    request.on('error', reject)
  })
}

function arrive(id: number, at: number): void {
  const times = arrivals.get(id) ?? []
  arrivals.set(id, times)
  if (times.push(at) === clients) waiting.get(id)?.()
}
