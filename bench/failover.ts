// PostgreSQL under Patroni is switched over and killed while runs are started and followed: for how long nothing can be written.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findLackOfCluster, startCluster, type Cluster } from './failover/cluster.ts'
import { startLoad } from './failover/load.ts'
import { longestGap, probeApi, probePostgres, type Probe } from './failover/probes.ts'
import { startService } from './start-service.ts'

/** How often each is done, and what may lie between a write that PostgreSQL takes and one that the API takes. */
const switchovers = 20
const kills = 10
const backMaxMs = 3_000
/** What is measured goes on for so long after the cluster is whole again. */
const calmMs = 1_000

export type BenchFailover = { folder: string; defer: (work: () => Promise<void>) => void }

type Event = { what: string; postgresMs: number; apiMs: number; laterMs: number }

/** Lines of the report. */
export async function benchFailover({ folder, defer }: BenchFailover): Promise<string[]> {
  const lack = findLackOfCluster()
  if (lack) return [`Not run: ${lack}`]
  const cluster = await startCluster(path.join(folder, 'cluster'), defer)
  const service = await startService({
    databaseUrl: cluster.databaseUrl,
    role: 'api',
    defer,
    env: { RUNWRIGHT_WORKER_SLOTS: '8' },
  })
  await service.startWorker()
  await service.startWorker()
  await service.call('PATCH', '/v1/organizations/1', { max_running: 50 })
  const [postgres, api, load] = [await probePostgres(cluster.serverUrls), await probeApi(service), startLoad(service)]
  await sleep(calmMs)
  const events: Event[] = []
  for (let n = 0; n < switchovers + kills; n++) {
    const [what, work] =
      n % 3 === 2 ? (['kill', cluster.killPrimary] as const) : (['switchover', cluster.switchOver] as const)
    const event = await measure(cluster, { what, work, postgres, api })
    events.push(event)
    process.stdout.write(`${n + 1}. ${rowOf(event)}\n`)
  }
  await Promise.all([postgres.stop(), api.stop()])
  const { accepted, faults } = await load.stop()
  const late = events.filter(({ laterMs }) => laterMs > backMaxMs).length
  return [
    '| Failover | PostgreSQL without writes | API without writes | API after PostgreSQL |',
    '|---|---|---|---|',
    ...events.map(rowOf),
    '',
    `${events.length} failovers, ${late} after which the API was back later than ${backMaxMs / 1000} s. ${accepted} runs accepted, ${faults.length} faults of them.`,
    ...faults,
    '',
    `While nothing could be written, the API answered: ${[...api.refused].map(([answer, count]) => `${answer} (${count} times)`).join(', ')}.`,
    '',
  ]
}

type Measure = { what: string; work: () => Promise<void>; postgres: Probe; api: Probe }

async function measure(cluster: Cluster, { what, work, postgres, api }: Measure): Promise<Event> {
  const begun = performance.now()
  await work()
  await cluster.untilWhole()
  await sleep(calmMs)
  const over = performance.now()
  const [ofPostgres, ofApi] = [postgres, api].map(({ writes }) => longestGap(writes, begun, over)) as [Gap, Gap]
  return { what, postgresMs: ofPostgres.ms, apiMs: ofApi.ms, laterMs: ofApi.end - ofPostgres.end }
}
type Gap = ReturnType<typeof longestGap>

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const rowOf = ({ what, postgresMs, apiMs, laterMs }: Event) =>
  `| ${what} | ${seconds(postgresMs)} | ${seconds(apiMs)} | ${seconds(laterMs)} |`
