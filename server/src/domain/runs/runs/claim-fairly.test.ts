import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openPool, rows } from '#db/pool.ts'
import { makeOrganization } from '#test/make.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { testDb } from '#test/test-db.ts'
import { claimRun, type Claim } from './claim-run.ts'

const claimers = 20
const db = await testDb()
const pool = openPool(db.url, { connectionsMax: claimers })

/** `runs`: how many ask for no label, for one that the workers have, and for one that nobody has. */
type Asked = { limit: number; runs: [number, number, number] }
const asked = fc.record({
  limit: fc.integer({ min: 0, max: 4 }),
  runs: fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 8 })),
})

/** Organizations with what they ask for; nothing else is queued. */
async function queueAll(organizations: Asked[]): Promise<number[]> {
  await db.query(
    `update run_heads set status = 'cancelled', worker_id = null, lease_id = null where status in ('queued', 'in_progress')`,
  )
  await db.query('update run_slots set running = 0')
  const ids: number[] = []
  for (const { limit, runs } of organizations) {
    const { id, adminId } = await makeOrganization(db)
    ids.push(id)
    await db.query('update run_slots set max_running = $2 where organization_id = $1', [id, limit])
    for (const [n, labels] of ['{}', '{gpu}', '{nobody}'].entries())
      await db.query(
        `with made as (
           insert into runs (organization_id, user_id, source_type, agent_type, prompt, timeout_minutes, create_pull_request)
           select $1, $2, 'API', 'scripted', 'Wait', 60, false from generate_series(1, $3) returning organization_id, id)
         insert into run_heads (organization_id, run_id, labels) select organization_id, id, $4 from made`,
        [id, adminId, runs[n], labels],
      )
  }
  return ids
}

/** Ends what was claimed, as the last statement of a turn does. */
async function end({ organizationId, runId }: Claim): Promise<void> {
  await pool.query(
    `with head as (
       update run_heads set status = 'completed', worker_id = null, lease_id = null where organization_id = $1 and run_id = $2)
     update run_slots set running = running - 1 where organization_id = $1`,
    [organizationId, runId],
  )
}

const findOverLimit = () =>
  rows(
    pool,
    `select s.organization_id, s.running, s.max_running, count(h.run_id) from run_slots s
     left join run_heads h on h.organization_id = s.organization_id and h.status = 'in_progress'
     group by s.organization_id having s.running <> count(h.run_id) or (s.running > s.max_running)`,
  )

test('20 claimers claim each run once, and no more of an organization than it may have at work', async () => {
  await using worker = await registerTestWorker(db.url, { labels: ['gpu', 'linux'] })
  const property = fc.asyncProperty(
    fc.array(asked, { minLength: 1, maxLength: 6 }),
    fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    async (organizations, endings) => {
      await queueAll(organizations)
      const claimed: Claim[] = []
      const claimAll = async (n: number) => {
        // Whoever finds the only organization that is left held by another looks once more, as a worker does.
        for (let misses = 0; misses < 3;) {
          const claim = await claimRun(pool, worker)
          misses = claim ? 0 : misses + 1
          if (!claim) continue
          claimed.push(claim)
          if (endings[(n + claim.runId) % endings.length]) await end(claim)
        }
      }
      const watching = new AbortController()
      const watch = async () => {
        while (!watching.signal.aborted) assert.deepEqual(await findOverLimit(), [])
      }
      const watched = watch()
      await Promise.all(Array.from({ length: claimers }, (_, n) => claimAll(n)))
      watching.abort()
      await watched
      assert.equal(new Set(claimed.map(({ runId }) => runId)).size, claimed.length)
      // Nothing is left that somebody could take.
      assert.deepEqual(
        await rows(
          pool,
          `select h.run_id from run_heads h join run_slots s on s.organization_id = h.organization_id
           where h.status = 'queued' and h.labels <> '{nobody}' and s.running < s.max_running`,
        ),
        [],
      )
      assert.deepEqual(
        await rows(
          pool,
          `select from run_heads where status <> 'queued' and status <> 'cancelled' and labels = '{nobody}'`,
        ),
        [],
      )
    },
  )
  await fc.assert(property, { numRuns: 12, interruptAfterTimeLimit: 60_000 })
})

test('organizations are served in turns, exactly by one claimer and nearly so by 20 at once', async () => {
  await using worker = await registerTestWorker(db.url, { labels: ['gpu'] })
  for (const atOnce of [1, claimers]) {
    const ids = await queueAll(
      Array.from({ length: 8 }, (_, n) => ({ limit: 1_000, runs: n % 2 ? [60, 0, 10] : [0, 30, 10] })),
    )
    const served = new Map(ids.map((id) => [id, 0]))
    for (let claims = 0; claims < 160;) {
      const round = await Promise.all(Array.from({ length: atOnce }, () => claimRun(pool, worker)))
      for (const claim of round.filter((claim) => claim !== undefined)) {
        claims++
        served.set(claim.organizationId, served.get(claim.organizationId)! + 1)
      }
      const counts = [...served.values()]
      // Claimers who look at the same moment see the same turn; it does not add up.
      const ahead = Math.max(...counts) - Math.min(...counts)
      assert.ok(ahead <= (atOnce === 1 ? 1 : claimers * 0.75), `after ${claims} claims: ${counts.join()}`)
    }
  }
  await pool.end()
})
