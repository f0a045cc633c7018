import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems give none of these to connections, so what is free stays free until it is listened on. */
const [portMin, portMax] = [20_000, 32_767]
const triesMax = 100

/** A free port of this machine. */
export async function findPort(host: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(portMin, portMax + 1)
    const probe = createServer()
    try {
      await once(probe.listen(port, host), 'listening')
      return port
    } catch (error) {
      if (tries === triesMax || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    } finally {
      if (probe.listening) await once(probe.close(), 'close')
    }
  }
}
