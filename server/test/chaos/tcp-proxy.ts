import net from 'node:net'

export type TcpProxy = AsyncDisposable & {
  port: number
  /** Ends all connections at once. */
  cut(): void
  /** The connections that are open now carry nothing any more, and nobody is told; new ones work. */
  swallow(): void
}

/** Stands between two processes, so that what is between them can break. */
export async function startTcpProxy({ targetPort }: { targetPort: number }): Promise<TcpProxy> {
  const pairs = new Set<net.Socket[]>()
  const server = net.createServer((near) => {
    const far = net.connect(targetPort, '127.0.0.1')
    const pair = [near, far]
    pairs.add(pair)
    near.pipe(far).pipe(near)
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
    for (const [near] of pairs) near?.destroy()
  }
  return {
    port: (server.address() as net.AddressInfo).port,
    cut,
    swallow: () => {
      for (const [near, far] of pairs) {
        // Read on, so that the network below seems well, and pass nothing on.
        near?.unpipe(far).resume()
        far?.unpipe(near).resume()
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.close()
      cut()
    },
  }
}
