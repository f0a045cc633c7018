// What one claim takes, by how much is queued and what stands in front.
import type pg from 'pg'
import { claimRun } from '../../server/src/domain/runs/runs/claim-run.ts'
import { openWorkerSession } from '../../server/src/domain/runs/workers/open-worker-session.ts'
import { registerWorker } from '../../server/src/domain/runs/workers/register-worker.ts'
import { renewWorkers } from '../../server/src/domain/runs/workers/renew-workers.ts'
import { percentile } from '../percentile.ts'
import { emptyQueue, queueRuns, type QueueRuns } from './queue-runs.ts'

const claims = 300

type Case = { what: string; queued: QueueRuns[] }

const cases: Case[] = [
  { what: '100 queued runs of one organization', queued: [{ organizations: 1, runs: 100 }] },
  { what: '10,000 of one organization', queued: [{ organizations: 1, runs: 10_000 }] },
  { what: '100,000 of one organization', queued: [{ organizations: 1, runs: 100_000 }] },
  { what: '10,000 of 100 organizations', queued: [{ organizations: 100, runs: 10_000 }] },
  { what: '100,000 of 1,000 organizations', queued: [{ organizations: 1_000, runs: 100_000 }] },
  {
    what: '30,000 that ask for a label nobody has, in front of 100',
    queued: [
      { organizations: 1, runs: 30_000, labels: ['gpu'] },
      { organizations: 1, runs: 100 },
    ],
  },
  {
    what: '30,000 that are not due, in front of 100',
    queued: [
      { organizations: 1, runs: 30_000, isLate: true },
      { organizations: 1, runs: 100 },
    ],
  },
  {
    what: '30,000 of an organization at its limit, in front of 100',
    queued: [
      { organizations: 1, runs: 30_000, isFull: true },
      { organizations: 1, runs: 100 },
    ],
  },
  {
    what: '30,000 of 1,000 organizations at their limits, in front of 100',
    queued: [
      { organizations: 1_000, runs: 30_000, isFull: true },
      { organizations: 1, runs: 100 },
    ],
  },
  {
    what: '30,000 of 1,000 organizations that ask for a label nobody has, in front of 100',
    queued: [
      { organizations: 1_000, runs: 30_000, labels: ['gpu'] },
      { organizations: 1, runs: 100 },
    ],
  },
]

/** Lines of the report. */
export async function benchClaims(pool: pg.Pool, databaseUrl: string): Promise<string[]> {
  const measured: { what: string; times: number[] }[] = []
  for (const { what, queued } of cases) {
    for (const some of queued) await queueRuns(pool, some)
    await pool.query('analyze run_heads')
    await pool.query('analyze run_slots')
    measured.push({ what, times: await measure(pool, databaseUrl) })
    await emptyQueue(pool)
  }
  const first = percentile(measured[0]!.times, 0.5)
  return [
    '| A claim, with this queued | p50 | p99 | p50 against the first |',
    '|---|---|---|---|',
    ...measured.map(({ what, times }) => {
      const half = percentile(times, 0.5)
      return `| ${what} | ${half.toFixed(2)} ms | ${percentile(times, 0.99).toFixed(2)} ms | ${(half / first).toFixed(2)}x |`
    }),
    '',
  ]
}

/** What was claimed is put back, so that the queue stays as deep as it is. */
async function measure(pool: pg.Pool, databaseUrl: string): Promise<number[]> {
  await using session = await openWorkerSession({ databaseUrl, onWake: () => {}, onLost: () => {} })
  const worker = { name: 'bench', slots: 1, version: '0', labels: [], place: 'here' }
  const workerId = await registerWorker(session.db, worker)
  const times: number[] = []
  const renewing = setInterval(() => void renewWorkers(session.db, { workerIds: [workerId] }), 1_000)
  for (let n = -20; n < claims; n++) {
    const begun = performance.now()
    const claim = await claimRun(pool, { workerId })
    if (n >= 0) times.push(performance.now() - begun)
    if (!claim) throw new Error('There was nothing to claim.')
    await pool.query(
      `update run_heads set status = 'queued', worker_id = null, lease_id = null, claims = 0 where organization_id = $1 and run_id = $2`,
      [claim.organizationId, claim.runId],
    )
    await pool.query('update run_slots set running = running - 1 where organization_id = $1', [claim.organizationId])
  }
  clearInterval(renewing)
  return times
}
