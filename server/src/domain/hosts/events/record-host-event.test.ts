import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { one, rows } from '#db/pool.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { recordHostEvent } from './record-host-event.ts'
import { sweepHostEvents } from './sweep-host-events.ts'

const db = await testDb()

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
    times: async () =>
      (
        await rows<{ at: string }>(
          db,
          `select event->>'at' as at from host_events where organization_id = $1 order by id`,
          [organizationId],
        )
      ).map(({ at }) => at),
  }
}

test('what is told twice under one key is one event, and one job', async () => {
  const { organizationId, record, times } = await makeRepo()
  assert.ok(await record(7, 'webhook', 'comment:1'))
  assert.equal(await record(7, 'look', 'comment:1'), false)
  assert.ok(await record(7, 'other', 'comment:2'))
  assert.deepEqual(await times(), ['webhook', 'other'])
  const jobs = await rows(db, `select key from jobs where organization_id = $1 and kind = 'host_event'`, [
    organizationId,
  ])
  assert.equal(jobs.length, 2)
})

test('events of one subject of one repository have one key, and so are handled in order', async () => {
  const { organizationId, repoId, record } = await makeRepo()
  await record(7, 'first')
  await record(7, 'second')
  await record(8, 'other')
  const keys = await rows<{ key: string }>(db, 'select key from jobs where organization_id = $1 order by id', [
    organizationId,
  ])
  assert.deepEqual(
    keys.map(({ key }) => key),
    [`${repoId} issue:7`, `${repoId} issue:7`, `${repoId} issue:8`],
  )
})

test('what was handled is kept for some days, and what was given up for some weeks', async () => {
  const { record, times } = await makeRepo()
  await record(7, 'old')
  await record(8, 'new')
  await record(9, 'waits')
  await record(10, 'given up')
  await db.query('update host_events set done_at = now()')
  await db.query(`update host_events set done_at = now() - interval '8 days' where event->>'at' = 'old'`)
  await db.query(`update host_events set done_at = null where event->>'at' in ('waits', 'given up')`)
  await db.query(`update host_events set created_at = now() - interval '31 days' where event->>'at' = 'given up'`)
  await sweepHostEvents(db)
  assert.deepEqual(await times(), ['new', 'waits'])
})
