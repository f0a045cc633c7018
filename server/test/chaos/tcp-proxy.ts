import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type TcpProxy = AsyncDisposable & {
  port: number
  /** Ends all connections at once. */
  cut(): void
  /** The connections that are open now carry nothing any more, and nobody is told; new ones work. */
  swallow(): void
  /** Nothing passes for so long, on no connection, and none ends for it; then all that was kept back does. */
  silence(ms: number): Promise<void>
}

type Pair = [near: net.Socket, far: net.Socket]

/** Stands between two processes, so that what is between them can break. Several targets are connected to in turns. */
export async function startTcpProxy({ targetPorts }: { targetPorts: number[] }): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let connected = 0
  let silences = 0
  const server = net.createServer((near) => {
    const far = net.connect(targetPorts[connected++ % targetPorts.length]!, '127.0.0.1')
    const pair: Pair = [near, far]
    pairs.add(pair)
    if (silences === 0) join(pair)
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        for (const other of pair) other.destroy()
        pairs.delete(pair)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const [near] of pairs) near.destroy()
  }
  return {
    port: (server.address() as net.AddressInfo).port,
    cut,
    swallow: () => {
      for (const [near, far] of pairs) {
        // Read on, so that the network below seems well, and pass nothing on.
        near.unpipe(far).resume()
        far.unpipe(near).resume()
      }
    },
    silence: async (ms) => {
      silences++
      for (const pair of pairs) part(pair)
      await sleep(ms)
      if (--silences === 0) for (const pair of pairs) join(pair)
    },
    [Symbol.asyncDispose]: async () => {
      server.close()
      cut()
    },
  }
}

function join([near, far]: Pair): void {
  near.pipe(far).pipe(near)
}

function part([near, far]: Pair): void {
  near.unpipe(far).pause()
  far.unpipe(near).pause()
}
