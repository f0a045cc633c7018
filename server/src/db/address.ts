import { readFileSync } from 'node:fs'
import { splitHosts } from '#base/network/database-hosts.ts'

/** Names a file that holds the port where the server listens now; see `addressOf`. */
const portFile = 'port_file'

/** The host of several that answered last as one that takes writes, by address. The same for all connections of a process. */
const chosen = new Map<string, number>()

/** One place to dial. */
export type Address = {
  url: string
  /** Nothing that can be used is there: whoever dials next tries the next one. */
  avoid(): void
}

/** The same address, at whatever port the file names when it is dialed. */
export function withPortFile(url: string, file: string): string {
  const moving = new URL(url)
  moving.searchParams.set(portFile, file)
  return moving.href
}

/**
 * Where a server is to be dialed now. `DATABASE_URL` may name several hosts with "," between them, as PostgreSQL's own tools take it:
 * one that cannot be reached, or takes no writes, is left for the next.
 */
export function addressOf(databaseUrl: string): Address {
  const urls = splitHosts(databaseUrl)
  const n = (chosen.get(databaseUrl) ?? 0) % urls.length
  return {
    url: dialable(urls[n] ?? databaseUrl),
    avoid: () => {
      // Of several connections that fail at once, one moves on for all.
      if ((chosen.get(databaseUrl) ?? 0) % urls.length === n) chosen.set(databaseUrl, n + 1)
    },
  }
}

/** Without what is for us: node-postgres asks servers for read and write by `DatabaseClient`. */
function dialable(url: string): string {
  if (!/[?&](?:port_file|target_session_attrs)=/.test(url)) return url
  const plain = new URL(url)
  const file = plain.searchParams.get(portFile)
  const port = file && readPort(file)
  if (port) plain.port = port
  plain.searchParams.delete(portFile)
  plain.searchParams.delete('target_session_attrs')
  return plain.href
}

function readPort(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
