// What the processes of a service ask of PostgreSQL that has nothing to do.
import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../start-service.ts'
import { countSessions, countTransactions } from './count-database.ts'

/** Everything that is done only at the start is over by then. */
const calmMs = 30_000
const measuredMs = 60_000

type Defer = (work: () => Promise<void>) => void

/** Lines of the report. */
export async function benchIdle(pool: pg.Pool, databaseUrl: string, defer: Defer): Promise<string[]> {
  const service = await startService({ databaseUrl, role: 'api', defer })
  await service.startApi()
  await service.startWorker()
  await service.startWorker()
  await sleep(calmMs)
  const before = await countTransactions(pool)
  await sleep(measuredMs)
  const perSecond = ((await countTransactions(pool)) - before) / (measuredMs / 1_000)
  return [
    '| 2 API processes and 2 workers with nothing to do | | wanted |',
    '|---|---|---|',
    `| transactions | ${perSecond.toFixed(1)}/s, ${(perSecond / 4).toFixed(2)}/s a process | ≤ 2/s a process |`,
    `| connections to PostgreSQL | ${await countSessions(pool)} | |`,
    '',
  ]
}
