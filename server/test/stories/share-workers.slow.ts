import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftToOther } from '#test/cases-of-commit.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const slots = 3
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { RUNWRIGHT_WORKER_SLOTS: String(slots), RUNWRIGHT_LOG_LEVEL: 'warn' },
})
const workersCount = 3
const organizationsCount = 10
const runsOfEach = 30

type Span = { organizationId: number; from: number; to: number }

/** The most spans that overlap at any moment. */
function mostAtOnce(spans: Span[]): number {
  const changes = spans.flatMap(({ from, to }) => [
    [from, 1],
    [to, -1],
  ])
  changes.sort(([one = 0, up = 0], [other = 0, down = 0]) => one - other || up - down)
  let [now, most] = [0, 0]
  for (const [, change = 0] of changes) most = Math.max(most, (now += change))
  return most
}

/** When its tool began and ended, by the tool's own clock. */
async function spanOf(organizationId: number, id: number): Promise<Span> {
  const run = await service.untilEnded(id, 10 * 60_000, organizationId)
  assert.equal(run.status, 'completed', JSON.stringify(run.error))
  const page = await service.call<{ logs: { tool_output: { output?: string; stdout?: string } | null }[] }>(
    'GET',
    `/v1/organizations/${organizationId}/agent/run/${id}/logs?message_type=ACTION`,
  )
  const [from = 0, to = 0] = [...JSON.stringify(page.logs[0]).matchAll(/at (\d{13})/g)].map(([, ms]) => Number(ms))
  assert.ok(from && to, JSON.stringify(page.logs))
  return { organizationId, from, to }
}

test(
  '3 workers share 300 runs of 10 organizations fairly, and never go beyond a limit',
  { timeout: 20 * 60_000, skip: leftToOther(1, 2) },
  async (t) => {
    const limitOf = new Map<number, number>()
    for (let n = 0; n < organizationsCount; n++) {
      const { id } = await service.call<{ id: number }>('POST', '/v1/organizations', { name: `Organization ${n}` })
      await service.call('PATCH', `/v1/organizations/${id}`, { limits: { max_running: 1 + (n % 3) } })
      limitOf.set(id, 1 + (n % 3))
    }
    const script = [{ shell: 'echo at $(date +%s%3N); sleep 1; echo at $(date +%s%3N)' }, { answer: 'Done.' }]
    const request = { prompt: 'Go', agent_type: 'scripted', metadata: { script } }
    const made: { organizationId: number; id: number }[] = []
    // The first organization's runs are all there before the second has any.
    for (const organizationId of limitOf.keys()) {
      for (let n = 0; n < runsOfEach; n++) {
        const { id } = await service.call<{ id: number }>(
          'POST',
          `/v1/organizations/${organizationId}/agent/run`,
          request,
        )
        made.push({ organizationId, id })
      }
    }
    const begun = Date.now()
    await Promise.all(Array.from({ length: workersCount }, () => service.startWorker()))
    const spans: Span[] = []
    for (const { organizationId, id } of made) spans.push(await spanOf(organizationId, id))

    const most = mostAtOnce(spans)
    assert.ok(most <= workersCount * slots, `${most} runs at once on ${workersCount} workers of ${slots}`)
    for (const [organizationId, limit] of limitOf) {
      const own = mostAtOnce(spans.filter((span) => span.organizationId === organizationId))
      assert.ok(own <= limit, `${own} runs of organization ${organizationId} at once, and ${limit} may be`)
    }
    const waits = spans.map(({ from }) => from - begun)
    const mean = waits.reduce((sum, ms) => sum + ms, 0) / waits.length
    const ratio = Math.max(...waits) / mean
    t.diagnostic(
      `at most ${most} at once; longest wait ${Math.round(Math.max(...waits))} ms, ${ratio.toFixed(2)} of the mean`,
    )
    assert.ok(ratio < 3)
    // An organization with as much room as another is not served later.
    const lastOf = (id: number) =>
      Math.max(...spans.filter((span) => span.organizationId === id).map(({ to }) => to - begun))
    const ends = [...limitOf].filter(([, limit]) => limit === 3).map(([id]) => lastOf(id))
    assert.ok(
      Math.max(...ends) < 1.5 * Math.min(...ends),
      `organizations of the same limit were done after ${ends.join(', ')} ms`,
    )
  },
)
