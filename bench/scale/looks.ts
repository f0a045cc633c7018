// What it takes to look at the whole queue, by how much is queued: what probes and metrics ask, and why runs wait.
import type pg from 'pg'
import { readOverview } from '../../server/src/domain/runs/overview/read-overview.ts'
import { sumQueueChanges } from '../../server/src/domain/runs/runs/sum-queue-changes.ts'
import { findUnserved } from '../../server/src/domain/runs/workers/find-unserved.ts'
import { markUnserved } from '../../server/src/domain/runs/workers/mark-unserved.ts'
import { percentile } from '../percentile.ts'
import { emptyQueue, queueRuns, type QueueRuns } from './queue-runs.ts'

const rounds = 30

const looks = { readOverview, findUnserved, markUnserved }

const cases: { what: string; queued: QueueRuns }[] = [
  { what: '100 queued runs of one organization', queued: { organizations: 1, runs: 100 } },
  { what: '10,000 of one organization', queued: { organizations: 1, runs: 10_000 } },
  { what: '100,000 of one organization', queued: { organizations: 1, runs: 100_000 } },
  { what: '10,000 of 1,000 organizations', queued: { organizations: 1_000, runs: 10_000 } },
  { what: '100,000 of 1,000 organizations', queued: { organizations: 1_000, runs: 100_000 } },
]

/** Lines of the report. */
export async function benchLooks(pool: pg.Pool): Promise<string[]> {
  const lines: string[] = []
  await pool.query(
    `insert into workers (name, slots, version, alive_until) values ('bench', 1, '0', now() + interval '1 hour')`,
  )
  for (const { what, queued } of cases) {
    await queueRuns(pool, queued)
    await sumQueueChanges(pool)
    await pool.query('vacuum analyze run_heads, run_slots, queue_changes')
    const times = []
    for (const look of Object.values(looks)) times.push(percentile(await measure(pool, look), 0.5))
    lines.push(`| ${what} | ${times.map((ms) => `${ms.toFixed(1)} ms`).join(' | ')} |`)
    await emptyQueue(pool)
  }
  await pool.query('delete from workers')
  return [
    '| A look, p50, with this queued | `/statusz`, metrics | runs without a worker | why runs wait |',
    '|---|---|---|---|',
    ...lines,
    '',
  ]
}

async function measure(pool: pg.Pool, look: (db: pg.Pool) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = -5; n < rounds; n++) {
    const begun = performance.now()
    await look(pool)
    if (n >= 0) times.push(performance.now() - begun)
  }
  return times
}
