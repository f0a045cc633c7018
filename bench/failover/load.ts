// Runs that are started and followed all the time, and what has become of each in the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../sdk/src/client.ts'
import type { Service } from '../../server/test/service.ts'

const everyMs = 1_000
const patienceMs = 120_000
const script = [
  ...Array.from({ length: 6 }, (_, n) => [{ think: `Step ${n + 1}` }, { sleep_ms: 300 }]).flat(),
  { answer: 'Done.' },
]

export type Load = { stop(): Promise<Outcome> }
export type Outcome = {
  accepted: number
  /** A sentence for each run that was lost, did not end as it should, or whose log has a hole or a double. */
  faults: string[]
}

export function startLoad(service: Service): Load {
  const followed: Promise<string[]>[] = []
  const over = new AbortController()
  const starting = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      followed.push(playOne(service, n))
      await sleep(everyMs)
    }
  })()
  return {
    stop: async () => {
      over.abort()
      await starting
      const faults = (await Promise.all(followed)).flat()
      return { accepted: followed.length, faults }
    },
  }
}

/** Started until it is accepted, with one key; then followed to its end, and read once more. */
async function playOne(service: Service, n: number): Promise<string[]> {
  const api = createClient({ baseUrl: service.url, token: service.token })
  const route = '/v1/organizations/1/agent/run'
  try {
    const id = await accept(service, route, `drill-${n}`)
    const seen: number[] = []
    const ids = { org_id: 1, agent_run_id: id }
    for await (const entry of api.runs.followLog(ids, { patienceMs })) seen.push(entry.seq)
    const run = await readLog(service, `${route}/${id}/logs?limit=100`)
    const stored = run.logs.map(({ seq }) => seq)
    const steps = run.logs.flatMap(({ thought }) => (thought?.startsWith('Step ') ? [thought] : []))
    const isDense = stored.every((seq, index) => seq === index + 1)
    return [
      ...(run.status === 'completed' ? [] : [`run ${id} is ${run.status}`]),
      ...(isDense && stored.length === run.total_logs
        ? []
        : [`the log of run ${id} is ${stored.join()} of ${run.total_logs}`]),
      ...(seen.join() === stored.join()
        ? []
        : [`the follower of run ${id} saw ${seen.join()}, and ${stored.join()} is stored`]),
      ...(new Set(steps).size === 6 && steps.length === 6 ? [] : [`run ${id} noted ${steps.join()}`]),
    ]
  } catch (error) {
    return [`run with the key ${n}: ${(error as Error).message}`]
  }
}

async function accept(service: Service, route: string, key: string): Promise<number> {
  const body = { prompt: 'Drill', agent_type: 'scripted', metadata: { script } }
  const end = Date.now() + patienceMs
  for (;;) {
    const answer = await service.ask('POST', route, body, { 'idempotency-key': key }).catch(() => undefined)
    if (answer?.ok) return ((await answer.json()) as { id: number }).id
    if (answer && answer.status !== 503)
      throw new Error(`it was answered with ${answer.status}: ${await answer.text()}`)
    if (Date.now() > end) throw new Error('it was not accepted in time')
    await sleep(250)
  }
}

type Log = { status: string; total_logs: number; logs: { seq: number; thought: string | null }[] }

/** It may be in the midst of the next failover. */
async function readLog(service: Service, route: string): Promise<Log> {
  const end = Date.now() + patienceMs
  for (;;) {
    const answer = await service.ask('GET', route)
    if (answer.ok) return (await answer.json()) as Log
    if (answer.status !== 503 || Date.now() > end) throw new Error(`its log was answered with ${answer.status}`)
    await sleep(250)
  }
}
