import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { makeRun } from '#test/make-run.ts'
import { unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { adoptWork } from './adopt-work.ts'

const db = await testDb()

test('what a process of the version before has queued gets a job, once, and what is too old or done gets none', async () => {
  const { organizationId, id: runId } = await makeRun(db)
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const ids = [organizationId, repoId]
  const insertEvent = `insert into host_events (organization_id, repo_id, subject, event, created_at, done_at)
    values ($1, $2, $3, '{}', now() - $4 * interval '1 day', $5)`
  await db.query(insertEvent, [...ids, 'issue:1', 0, null])
  await db.query(insertEvent, [...ids, 'issue:2', 8, null])
  await db.query(insertEvent, [...ids, 'issue:3', 0, new Date()])
  await db.query(
    `insert into run_replies (organization_id, run_id, repo_id, subject, due_at) values ($1, $3, $2, 'issue:1', now())`,
    [...ids, runId],
  )
  await db.query(
    `insert into awaited_reviews (organization_id, repo_id, subject, commit, due_at)
     values ($1, $2, 'branch:main', 'c', now() + interval '1 minute')`,
    ids,
  )
  await db.query(
    `insert into checks (organization_id, repo_id, commit, key, name, app, command) values ($1, $2, 'c', 'k', 'test', 'local', 'true')`,
    ids,
  )
  await adoptWork(db)
  const jobs = () =>
    rows<{ kind: string; key: string; requests: number }>(
      db,
      'select kind, key, requests from jobs where organization_id = $1 order by kind',
      [organizationId],
    )
  const found = await jobs()
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ['check', 'host_event', 'review', 'status_comment'],
  )
  assert.equal(found[1]?.key, `${repoId} issue:1`)
  await adoptWork(db)
  assert.deepEqual(await jobs(), found)
})
