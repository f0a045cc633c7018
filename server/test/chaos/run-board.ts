import { setTimeout as sleep } from 'node:timers/promises'
import { openStream } from '#test/open-stream.ts'
import type { Client } from './client.ts'
import type { Journal } from './journal.ts'

export type RunFacts = {
  id: number
  status: string
  statusDetail: string | null
  turn: number
  updatedAt: string
  error: { code: string; message: string } | null
}

/** What is known of all runs, from the organization's stream and from its list. */
export type RunBoard = {
  get(runId: number): RunFacts | undefined
  all(): RunFacts[]
  until(runId: number, condition: (run: RunFacts) => boolean): Promise<RunFacts>
  /** Reads the list once more, to its end. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

export const hasEnded = ({ status }: { status: string }) => ['completed', 'failed', 'cancelled'].includes(status)

const pollMs = 3_000
const lookMs = 50

export function watchRuns(client: Client, journal: Journal): RunBoard {
  const known = new Map<number, RunFacts>()
  const stop = new AbortController()

  function see(run: Record<string, unknown>): void {
    const facts: RunFacts = {
      id: run['id'] as number,
      status: run['status'] as string,
      statusDetail: run['status_detail'] as string | null,
      turn: run['turn'] as number,
      updatedAt: run['updated_at'] as string,
      error: run['error'] as RunFacts['error'],
    }
    const last = known.get(facts.id)
    // The two ways are not in step with each other.
    if (last && (last.updatedAt > facts.updatedAt || last.turn > facts.turn)) return
    known.set(facts.id, facts)
    if (last?.status === facts.status && last.statusDetail === facts.statusDetail && last.turn === facts.turn) return
    const { id: runId, status, statusDetail: detail, turn, error } = facts
    journal.write({ kind: 'status', runId, status, detail, turn, ...(error && { error: error.code }) })
  }

  async function refresh(): Promise<void> {
    const size = 100
    for (let skip = 0; ; skip += size) {
      const { body } = await client.ask('GET', `/agent/runs?skip=${skip}&limit=${size}`)
      const items = body['items'] as Record<string, unknown>[]
      items.forEach(see)
      if (items.length < size) return
    }
  }

  async function poll(): Promise<void> {
    while (!stop.signal.aborted) {
      await refresh()
      await sleep(pollMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  async function follow(): Promise<void> {
    while (!stop.signal.aborted) {
      const url = `${client.nextAddress()}${client.base}/agent/runs/stream`
      const stream = await openStream(url, client.headers).catch(() => undefined)
      const close = () => stream?.close()
      stop.signal.addEventListener('abort', close)
      for (let event = await stream?.next(); event; event = await stream?.next())
        if (event.event === 'status') see(event.data)
      stop.signal.removeEventListener('abort', close)
      stream?.close()
      await sleep(200)
    }
  }

  const loops = [poll(), follow()]
  return {
    get: (runId) => known.get(runId),
    all: () => [...known.values()],
    until: async (runId, condition) => {
      for (;;) {
        const run = known.get(runId)
        if (run && condition(run)) return run
        stop.signal.throwIfAborted()
        await sleep(lookMs)
      }
    },
    refresh,
    stop: async () => {
      stop.abort()
      await Promise.all(loops)
    },
  }
}
