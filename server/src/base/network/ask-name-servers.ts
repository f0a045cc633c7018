import { Resolver } from 'node:dns/promises'
import { nameLimits } from './limits.ts'

export type AskNameServers = {
  /** The system's when there are none. */
  servers: readonly string[]
  /** Gives the question up, and frees everything that it holds. */
  signal: AbortSignal
}

/** What name servers know of one full name: no addresses when they know that there are none. */
export type Answer = { addresses: string[]; seconds: number }

/** Rejects when no server could be asked. Asynchronous sockets all the way: no thread waits for an answer. */
export async function askNameServers(name: string, { servers, signal }: AskNameServers): Promise<Answer> {
  signal.throwIfAborted()
  // One for each question, so that giving one up leaves the others alone.
  const resolver = new Resolver({ timeout: nameLimits.nameServerMs, tries: nameLimits.nameServerTries })
  if (servers.length) resolver.setServers(servers)
  const stop = () => resolver.cancel()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name, { ttl: true }),
      resolver.resolve6(name, { ttl: true }),
    ])
    const records = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const failed = [four, six].find((one) => one.status === 'rejected' && !isNone(one.reason))
    if (!records.length && failed?.status === 'rejected') throw failed.reason
    const kept = records.slice(0, nameLimits.addressesMax)
    return { addresses: kept.map(({ address }) => address), seconds: Math.min(...kept.map(({ ttl }) => ttl)) }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function isNone(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ENOTFOUND' || code === 'ENODATA'
}
