import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type HalfOpenProxy = AsyncDisposable & {
  /** The address of what lies behind, through here. */
  url: string
  /** How many connections were made through here so far. */
  readonly connected: number
  /** From now on no byte passes, in connections that are open and in new ones; none is closed. */
  blackHole(): void
  /** New connections work again; those that were black-holed stay so for ever, as behind a firewall that forgot them. */
  fix(): void
  /** Each piece takes so much longer from now on. */
  delay(ms: number): void
}

/** A way to a server that can vanish without a word, as networks do: neither side is told. */
export async function openHalfOpenProxy(target: string): Promise<HalfOpenProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<net.Socket>()
  let [connected, delayMs, lives] = [0, 0, new AbortController()]
  const server = net.createServer((client) => {
    const life = lives.signal
    const upstream = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      void pass(from, to, { life, delayMs: () => delayMs }).catch(() => {})
    }
    if (!life.aborted) connected++
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as net.AddressInfo).port)
  return {
    url: url.href,
    get connected() {
      return connected
    },
    blackHole: () => lives.abort(),
    fix: () => void (lives = new AbortController()),
    delay: (ms) => void (delayMs = ms),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

type Passing = { life: AbortSignal; delayMs: () => number }

/** Passes bytes and the end on while it lives; then it takes everything and passes nothing. */
async function pass(from: net.Socket, to: net.Socket, { life, delayMs }: Passing): Promise<void> {
  for await (const chunk of from) {
    if (delayMs() && !life.aborted) await sleep(delayMs())
    if (!life.aborted) to.write(chunk as Buffer)
  }
  if (!life.aborted) to.end()
}
