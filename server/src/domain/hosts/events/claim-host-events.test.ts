import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { one, rows } from '#db/pool.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { claimHostEvents, type ClaimedEvent } from './claim-host-events.ts'
import { finishHostEvent } from './finish-host-event.ts'
import { recordHostEvent } from './record-host-event.ts'
import { releaseHostEvent } from './release-host-event.ts'
import { returnHostEvent } from './return-host-event.ts'
import { sweepHostEvents } from './sweep-host-events.ts'

const db = await testDb()
beforeEach(async () => {
  await db.query('delete from host_events')
})

async function makeRepo() {
  const { id: organizationId } = await makeOrganization(db)
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const closed = (number: number, at: string): HostEvent => ({
    type: 'issue',
    action: 'closed',
    number,
    actor: null,
    at,
  })
  return {
    organizationId,
    repoId,
    record: (number: number, at: string, key?: string) =>
      recordHostEvent(db, { organizationId, repoId, event: closed(number, at), ...(key && { key }) }),
  }
}

const timesOf = (events: ClaimedEvent[]) => events.map(({ event }) => event.at)
const expire = () => db.query(`update host_events set claimed_until = now() where claimed_until is not null`)
const finish = (event: ClaimedEvent | undefined) => finishHostEvent(db, { ...event!, outcome: null })

test('of each subject the next one is worked off, once the one before it is done', async () => {
  const { record } = await makeRepo()
  for (const [number, at] of [
    [7, 'first'],
    [7, 'second'],
    [8, 'other'],
    [7, 'third'],
  ] as const)
    await record(number, at)
  const claimed = await claimHostEvents(db)
  assert.deepEqual(timesOf(claimed), ['first', 'other'])
  assert.deepEqual(await claimHostEvents(db), [])
  await finish(claimed[0])
  const [second, ...others] = await claimHostEvents(db)
  assert.equal(second?.event.at, 'second')
  assert.deepEqual(others, [])
})

test('the same number in another repository is another subject', async () => {
  const [one, two] = [await makeRepo(), await makeRepo()]
  await one.record(7, 'a')
  await two.record(7, 'b')
  assert.equal((await claimHostEvents(db)).length, 2)
})

test('what is told twice under one key is one event', async () => {
  const { record } = await makeRepo()
  await record(7, 'webhook', 'comment:1')
  await record(7, 'look', 'comment:1')
  await record(7, 'other', 'comment:2')
  assert.deepEqual(
    (await rows<{ at: string }>(db, `select event->>'at' as at from host_events order by id`)).map(({ at }) => at),
    ['webhook', 'other'],
  )
})

test('workers that look at the same moment take different events, and never two of one subject', async () => {
  const { record } = await makeRepo()
  for (let n = 0; n < 60; n++) await record(n % 20, String(n))
  const seen: string[] = []
  const atWork = new Set<string>()
  const work = async (): Promise<void> => {
    for (let events = await claimHostEvents(db); events.length; events = await claimHostEvents(db)) {
      for (const { event } of events) {
        const subject = String((event as { number: number }).number)
        assert.ok(!atWork.has(subject), `two at once of issue ${subject}`)
        atWork.add(subject)
      }
      for (const claimed of events) {
        seen.push(claimed.event.at)
        atWork.delete(String((claimed.event as { number: number }).number))
        await finish(claimed)
      }
    }
  }
  // Who finds all subjects at work stops, so the last look is after all others.
  await Promise.all([work(), work(), work(), work()])
  await work()
  assert.equal(seen.length, 60)
  assert.equal(new Set(seen).size, 60)
  for (let subject = 0; subject < 20; subject++) {
    const order = seen.map(Number).filter((n) => n % 20 === subject)
    assert.deepEqual(order, [subject, subject + 20, subject + 40])
  }
})

test('an event that came to light late waits for the one at work', async () => {
  const { record } = await makeRepo()
  await record(7, 'early')
  const [early] = await claimHostEvents(db)
  await db.query('update host_events set id = default where id = $1', [early?.id])
  await record(7, 'late')
  await db.query(`update host_events set id = default where event->>'at' = 'early'`)
  assert.deepEqual(await claimHostEvents(db), [])
})

test('what a lost worker had taken is taken by the next, and what the lost one says of it counts no more', async () => {
  const { record } = await makeRepo()
  await record(7, 'only')
  const [lost] = await claimHostEvents(db)
  await expire()
  const [taken] = await claimHostEvents(db)
  assert.equal(taken?.tries, 2)
  await finish(lost)
  await releaseHostEvent(db, { ...lost!, reason: 'late', retryAt: undefined })
  const { done } = await one<{ done: Date | null }>(db, 'select done_at as done from host_events')
  assert.equal(done, null)
  await finish(taken)
  assert.deepEqual(await claimHostEvents(db), [])
})

test('a worker that ends leaves its events as if it had not tried them', async () => {
  const { record } = await makeRepo()
  await record(7, 'only')
  const [event] = await claimHostEvents(db)
  await returnHostEvent(db, event!)
  assert.equal((await claimHostEvents(db))[0]?.tries, 1)
})

test('what fails is tried again later each time, keeps its own subject waiting, and is given up in the end', async () => {
  const { record } = await makeRepo()
  await record(7, 'broken')
  await record(7, 'after')
  const pauses: number[] = []
  for (let tries = 1; tries < hostLimits.hostEventTriesMax; tries++) {
    const [event] = await claimHostEvents(db)
    assert.equal(event?.event.at, 'broken')
    assert.equal(await releaseHostEvent(db, { ...event, reason: 'no', retryAt: undefined }), false)
    assert.deepEqual(await claimHostEvents(db), [])
    const { ms } = await one<{ ms: number }>(
      db,
      `select round(extract(epoch from due_at - now()) * 1000)::int as ms from host_events where id = $1`,
      [event?.id],
    )
    pauses.push(ms)
    await db.query('update host_events set due_at = now()')
  }
  assert.ok((pauses[0] ?? 0) < (pauses[6] ?? 0))
  assert.ok((pauses.at(-1) ?? 0) <= hostLimits.hostEventRetryMsMax)
  const [last] = await claimHostEvents(db)
  assert.equal(await releaseHostEvent(db, { ...last!, reason: 'no', retryAt: undefined }), true)
  assert.deepEqual(timesOf(await claimHostEvents(db)), ['after'])
  const { outcome } = await one<{ outcome: string }>(db, 'select outcome from host_events where done_at is not null')
  assert.equal(outcome, 'given up: no')
})

test('a host that says when it will hear us again is not asked before', async () => {
  const { record } = await makeRepo()
  await record(7, 'only')
  const [event] = await claimHostEvents(db)
  await releaseHostEvent(db, { ...event!, reason: 'rate limited', retryAt: new Date(Date.now() + 3_600_000) })
  const { isLater } = await one<{ isLater: boolean }>(
    db,
    `select due_at > now() + interval '50 minutes' as "isLater" from host_events`,
  )
  assert.ok(isLater)
})

test('what was worked off is kept for some days', async () => {
  const { record } = await makeRepo()
  await record(7, 'old')
  await record(8, 'new')
  for (const event of await claimHostEvents(db)) await finish(event)
  await db.query(`update host_events set done_at = now() - interval '8 days' where event->>'at' = 'old'`)
  await sweepHostEvents(db)
  const left = await rows<{ at: string }>(db, `select event->>'at' as at from host_events`)
  assert.deepEqual(left, [{ at: 'new' }])
})
