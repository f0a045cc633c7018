import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one } from '#db/pool.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { cancelRun } from './cancel-run.ts'
import { continueRun } from './continue-run.ts'
import { recordHostWait } from './record-host-wait.ts'
import { releaseRun } from './release-run.ts'

const db = await testDb()
const { mask } = openRedactor([])
const hour = 3_600_000
const refused = { for: 'deliver' as const, code: 'unavailable', message: 'The host is away.' }
const begun = Date.parse('2026-11-23T12:00:00Z')

const fail = (holder: Holder, afterMs: number, more: Partial<Parameters<typeof recordHostWait>[1]> = {}) =>
  recordHostWait(db, {
    holder,
    refused,
    patienceMs: 24 * hour,
    retryInMs: undefined,
    now: new Date(begun + afterMs),
    ...more,
  })

const pauseOf = ({ nextTryAt }: { nextTryAt: string | null }, afterMs: number) =>
  Date.parse(nextTryAt ?? '') - begun - afterMs

test('a host that fails a run is asked again later each time, and every half hour at least', async () => {
  const { holder } = await makeHeldRun(db)
  const pauses: number[] = []
  for (let tries = 1; tries <= 14; tries++) {
    const wait = await fail(holder, tries)
    assert.partialDeepStrictEqual(wait, { ...refused, tries, since: new Date(begun + 1).toISOString() })
    pauses.push(pauseOf(wait, tries))
  }
  assert.ok(pauses[0]! >= 1_500 && pauses[0]! <= 2_000, `${pauses[0]}`)
  for (const [index, pause] of pauses.slice(0, 8).entries()) assert.ok(pause < pauses[index + 1]! * 1.01, `${pauses}`)
  assert.ok(Math.max(...pauses) <= hour / 2, `${pauses}`)
})

test('a host that says when to come again is left alone until then, for a day at most', async () => {
  const { holder } = await makeHeldRun(db)
  assert.equal(pauseOf(await fail(holder, 0, { retryInMs: 3 * hour }), 0), 3 * hour)
  assert.equal(pauseOf(await fail(holder, 0, { retryInMs: 300 * hour }), 0), 24 * hour)
})

test('once it has had its time it is not asked by itself any more, and what else is waited for has its own time', async () => {
  const { holder } = await makeHeldRun(db)
  await fail(holder, 0)
  assert.equal((await fail(holder, 24 * hour)).nextTryAt, null)
  assert.partialDeepStrictEqual(await fail(holder, 24 * hour, { refused: { ...refused, for: 'begin' } }), { tries: 1 })
})

test('a run that waits holds no worker and no slot, is not claimed before its time, and its time stands still', async () => {
  const { run, holder } = await makeHeldRun(db)
  const wait = await recordHostWait(db, { holder, refused, patienceMs: hour, retryInMs: undefined, now: new Date() })
  await releaseRun(db, { ...holder, isLost: false, waitsFor: 'host', mask })
  const found = await getRun(db, holder)
  assert.partialDeepStrictEqual(found, { status: 'queued', statusDetail: 'waiting_for_host', hostWait: wait })
  const head = await one<{ notBefore: Date; heldAt: Date | null; leaseId: string | null }>(
    db,
    'select not_before, held_at, lease_id from run_heads where run_id = $1',
    [run.id],
  )
  assert.equal(head.notBefore.toISOString(), wait.nextTryAt)
  assert.deepEqual([head.leaseId, head.heldAt !== null], [null, true])
  assert.partialDeepStrictEqual(await continueRun(db, holder), { status: 'queued', hostWait: null })
  const { isDue } = await one<{ isDue: boolean }>(
    db,
    'select not_before <= now() as is_due from run_heads where run_id = $1',
    [run.id],
  )
  assert.ok(isDue, 'it is tried now')
})

test('a run that has waited for too long is paused, tells its person once, and goes on when somebody asks', async () => {
  const { run, holder } = await makeHeldRun(db)
  await fail(holder, 0)
  await fail(holder, 25 * hour)
  await releaseRun(db, { ...holder, isLost: false, waitsFor: 'host', mask })
  const paused = await getRun(db, holder)
  assert.partialDeepStrictEqual(paused, { status: 'paused', statusDetail: 'waiting_for_host', error: null })
  const { text } = await one<{ text: string }>(db, 'select kind, text from notifications where run_id = $1', [run.id])
  assert.equal(text, refused.message)
  assert.partialDeepStrictEqual(await continueRun(db, holder), { status: 'queued', turn: 1, hostWait: null })
})

test('a run that is stopped waits for nothing', async () => {
  const { holder } = await makeHeldRun(db)
  await fail(holder, 0)
  await releaseRun(db, { ...holder, isLost: false, waitsFor: 'host', mask })
  assert.partialDeepStrictEqual(await cancelRun(db, { ...holder, userId: null }), {
    status: 'cancelled',
    hostWait: null,
  })
})

test('whoever has lost the run stores nothing of its host', async () => {
  const { holder } = await makeHeldRun(db)
  await releaseRun(db, { ...holder, isLost: false, mask })
  await assert.rejects(fail(holder, 0), LeaseLost)
  assert.equal((await getRun(db, holder)).hostWait, null)
})
