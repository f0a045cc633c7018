import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStream, type OpenStream } from '#test/open-stream.ts'
import type { Client } from './client.ts'
import type { Journal } from './journal.ts'

export type Reading = {
  /** How many entries were read so far. */
  count: number
  done: Promise<void>
}

export type ReadRun = { client: Client; journal: Journal; runId: number; isOver: () => boolean }

/** A stream says something at least every 15 seconds, and events far oftener while a run is at work. */
const silenceMsMax = 20_000
/** Who was cut off, or saw the end of a turn, looks again after this. */
const againMs = 500

export const digestOf = (entry: unknown) =>
  createHash('sha1').update(JSON.stringify(entry)).digest('base64url').slice(0, 12)

/** What of an entry is written down: its digest, and whether it says that the work tree came back. */
function notesOf(entry: Record<string, unknown>): { digest: string; restoredFrom?: string } {
  const from = (entry['observation'] as { restored_from?: string } | null)?.restored_from
  return { digest: digestOf(entry), ...(from && { restoredFrom: from }) }
}

/** Follows a run's log to the end of its last turn, through everything that cuts the stream. */
export function followRun({ client, journal, runId, isOver }: ReadRun): Reading {
  const reading: Reading = { count: 0, done: follow() }
  return reading

  async function follow(): Promise<void> {
    await Promise.resolve()
    let why: string | null = null
    while (why !== 'end' || !isOver()) {
      if (why !== null && why !== 'end') journal.write({ kind: 'reopened', runId, afterSeq: reading.count, why })
      if (why !== null) await sleep(againMs)
      why = await readOnce()
    }
  }

  /** Reads until the stream ends; answers why it did. */
  async function readOnce(): Promise<string> {
    const url = `${client.nextAddress()}${client.base}/agent/run/${runId}/logs/stream`
    const from = reading.count > 0 ? { 'last-event-id': String(reading.count) } : {}
    const opening = openStream(url, { ...client.headers, ...from }).catch(() => undefined)
    const stream = await Promise.race([opening, sleep(silenceMsMax, 'silence' as const, { ref: false })])
    if (stream === 'silence') return `no answer from ${new URL(url).host}`
    if (!stream) return 'refused'
    if (stream.status === 204) return 'end'
    if (stream.status !== 200) {
      stream.close()
      return `${stream.status}`
    }
    try {
      for (;;) {
        const event = await nextOf(stream)
        if (typeof event === 'string') return event
        if (event.event === 'end') return 'end'
        if (event.event !== 'log') continue
        const seq = event.id ?? 0
        journal.write({ kind: 'entry', runId, reader: 'stream', seq, ...notesOf(event.data) })
        reading.count = seq
      }
    } finally {
      stream.close()
    }
  }
}

async function nextOf(stream: OpenStream) {
  const stop = new AbortController()
  const silence = sleep(silenceMsMax, 'silence' as const, { signal: stop.signal }).catch(() => 'silence' as const)
  try {
    return (await Promise.race([stream.next(), silence])) ?? 'cut'
  } finally {
    stop.abort()
  }
}

/** Reads a run's log page by page while it grows. */
export function pageRun({ client, journal, runId, isOver }: ReadRun): Reading {
  const reading: Reading = { count: 0, done: page() }
  return reading

  async function page(): Promise<void> {
    await Promise.resolve()
    for (;;) {
      const wasOver = isOver()
      const entries = await readEntries(client, runId, reading.count)
      for (const entry of entries)
        journal.write({ kind: 'entry', runId, reader: 'pages', seq: entry.seq, ...notesOf(entry) })
      reading.count += entries.length
      if (wasOver && entries.length < pageSize) return
      if (entries.length < pageSize) await sleep(1_000)
    }
  }
}

export type LogEntry = Record<string, unknown> & { seq: number; message_type: string; turn: number }

const pageSize = 100

async function readEntries(client: Client, runId: number, skip: number): Promise<LogEntry[]> {
  const { status, body } = await client.ask('GET', `/agent/run/${runId}/logs?skip=${skip}&limit=${pageSize}`)
  if (status !== 200) throw new Error(`the log of run ${runId}: ${status} ${JSON.stringify(body)}`)
  return body['logs'] as LogEntry[]
}

/** The whole log as it stands. */
export async function readLog(client: Client, runId: number): Promise<{ total: number; entries: LogEntry[] }> {
  const entries: LogEntry[] = []
  for (;;) {
    const { status, body } = await client.ask(
      'GET',
      `/agent/run/${runId}/logs?skip=${entries.length}&limit=${pageSize}`,
    )
    if (status !== 200) throw new Error(`the log of run ${runId}: ${status} ${JSON.stringify(body)}`)
    const page = body['logs'] as LogEntry[]
    entries.push(...page)
    if (page.length < pageSize) return { total: body['total_logs'] as number, entries }
  }
}
