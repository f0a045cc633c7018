// Who can write, asked all the time: PostgreSQL itself, and the API.
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../server/test/service.ts'

const everyMs = 50
const patienceMs = 2_000

export type Probe = {
  /** When writes succeeded, by the process's clock. */
  writes: number[]
  stop(): Promise<void>
}

/** Writes to whichever server takes it, on a connection that is kept while it does. */
export async function probePostgres(serverUrls: string[]): Promise<Probe> {
  let n = 0
  let client: pg.Client | undefined
  const close = async () => {
    const ended = client
    client = undefined
    await ended?.end().catch(() => {})
  }
  const write = async () => {
    if (!client) {
      client = new pg.Client({
        connectionString: serverUrls[n % serverUrls.length]!,
        connectionTimeoutMillis: patienceMs,
        query_timeout: patienceMs,
      })
      client.on('error', () => {})
      await client.connect()
    }
    await client.query('create table if not exists drill (at timestamptz)')
    await client.query('insert into drill values (now())')
  }
  return probe(async () => {
    try {
      await write()
      return true
    } catch {
      void close()
      n++
      return false
    }
  }, close)
}

export type ApiProbe = Probe & {
  /** What was answered meanwhile instead, by status, and how many of these were not as promised. */
  refused: Map<string, number>
}

/** Changes the organization's row over and over. */
export async function probeApi(service: Service): Promise<ApiProbe> {
  const refused = new Map<string, number>()
  const note = (what: string) => refused.set(what, (refused.get(what) ?? 0) + 1)
  let n = 0
  const made = await probe(
    async () => {
      try {
        const answer = await service.ask('PATCH', '/v1/organizations/1', { name: `Drill ${n++}` })
        await answer.arrayBuffer()
        if (answer.ok) return true
        note(`${answer.status}${answer.headers.has('retry-after') ? ' with Retry-After' : ''}`)
      } catch (error) {
        note(`no answer (${(error as Error).message})`)
      }
      return false
    },
    async () => {},
  )
  return { ...made, refused }
}

async function probe(write: () => Promise<boolean>, close: () => Promise<void>): Promise<Probe> {
  const writes: number[] = []
  const over = new AbortController()
  const running = (async () => {
    while (!over.signal.aborted) {
      if (await write()) writes.push(performance.now())
      await sleep(everyMs)
    }
    await close()
  })()
  return {
    writes,
    stop: async () => {
      over.abort()
      await running
    },
  }
}

/** The longest time without a write between these two, and when it ended. */
export function longestGap(writes: number[], from: number, to: number): { ms: number; end: number } {
  let longest = { ms: 0, end: from }
  for (let n = 1; n < writes.length; n++) {
    const [before, after] = [writes[n - 1]!, writes[n]!]
    if (after >= from && before <= to && after - before > longest.ms) longest = { ms: after - before, end: after }
  }
  return longest
}
