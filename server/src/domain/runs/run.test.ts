import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { rows } from '#db/pool.ts'
import { readLogPage } from '#domain/runs/logs/read-log-page.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'
import { LeaseLost } from './holder.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { getRun } from './get-run.ts'
import { listRuns } from '#domain/runs/runs/list-runs.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import type { Run } from './run.ts'

const db = await testDb()
const blobs = testBlobs()
const mask = openRedactor([]).mask
const ids = (run: Run) => ({ organizationId: run.organizationId, runId: run.id, userId: run.userId ?? 0 })
const running = async (organizationId: number) =>
  (await rows<{ running: number }>(db, 'select running from run_slots where organization_id = $1', [organizationId]))[0]
    ?.running
const completed = { status: 'completed', result: 'done', summary: null } as const

test('a new run is queued, with a title from its prompt', async () => {
  const run = await makeRun(db, { prompt: `${'Fix the parser of dates '.repeat(9)}\nsecond line` })
  assert.equal(run.status, 'queued')
  assert.equal(run.statusDetail, 'no_worker', 'nobody lives here who could take it')
  assert.match(run.title ?? '', /^Fix the parser.* …$/)
  assert.ok([...(run.title ?? '')].length <= 80)
})

test('what creating a run answers is what reading it answers', async () => {
  const run = await makeRun(db, { metadata: { ticket: 7 }, model: 'm', baseBranch: 'dev', createPullRequest: false })
  assert.deepEqual(run, await getRun(db, ids(run)))
})

test("a run cannot be made in another organization's repository", async () => {
  const other = await makeOrganization(db)
  const { rows: repos } = await db.query(
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'theirs', 'x', 'main') returning id`,
    [other.id],
  )
  await assert.rejects(makeRun(db, { repoId: repos[0].id }), { code: 'repo_not_found' })
})

test('a queued run is stopped at once', async () => {
  const run = await makeRun(db)
  assert.equal((await cancelRun(db, ids(run))).status, 'cancelled')
  await assert.rejects(cancelRun(db, ids(run)), { code: 'run_already_ended' })
})

test('a run at work is asked to stop, and ends when its worker says so, whatever else it says', async () => {
  const { run, holder } = await makeHeldRun(db)
  const asked = await cancelRun(db, ids(run))
  assert.deepEqual([asked.status, asked.statusDetail], ['in_progress', 'stopping'])
  await finishTurn(db, {
    holder,
    end: completed,
    entries: [{ messageType: 'FINAL_ANSWER', observation: 'done' }],
    mask,
  })
  const ended = await getRun(db, ids(run))
  assert.deepEqual([ended.status, ended.result], ['cancelled', null])
  assert.equal(ended.logTotal, 0)
  assert.equal(await running(run.organizationId), 0)
})

test('a run that has ended cannot be ended again, not even by hand', async () => {
  const { run, holder } = await makeHeldRun(db)
  await finishTurn(db, { holder, end: { status: 'cancelled' }, entries: [], mask })
  await assert.rejects(finishTurn(db, { holder, end: completed, entries: [], mask }), LeaseLost)
  await assert.rejects(db.query(`update run_heads set status = 'completed' where run_id = $1`, [run.id]), {
    code: 'RW001',
  })
})

test('a follow-up on a run that has ended is its next turn', async () => {
  const { run, holder } = await makeHeldRun(db)
  await finishTurn(db, {
    holder,
    end: completed,
    entries: [{ messageType: 'FINAL_ANSWER', observation: 'done' }],
    mask,
  })
  const resumed = await resumeRun(db, { ...ids(run), prompt: 'and the tests' })
  assert.deepEqual([resumed.status, resumed.turn, resumed.result], ['queued', 2, 'done'])
})

test('a follow-up on a run at work is found before its next step, once', async () => {
  const { run, holder } = await makeHeldRun(db)
  await takeMessages(db, { holder, mask, blobs })
  await resumeRun(db, { ...ids(run), prompt: 'use tabs' })
  assert.deepEqual(await takeMessages(db, { holder, mask, blobs }), [{ text: 'use tabs', images: [] }])
  assert.deepEqual(await takeMessages(db, { holder, mask, blobs }), [])
  const entries = await readLogPage(db, { ...ids(run), blobs, from: 1, to: 100 })
  assert.deepEqual(
    entries.map((text) => JSON.parse(text).observation),
    ['Fix it', 'use tabs'],
  )
})

test('a follow-up that comes as the run ends starts the next turn', async () => {
  const { run, holder } = await makeHeldRun(db)
  await takeMessages(db, { holder, mask, blobs })
  await resumeRun(db, { ...ids(run), prompt: 'one more thing' })
  await finishTurn(db, { holder, end: completed, entries: [], mask })
  const next = await getRun(db, ids(run))
  assert.deepEqual([next.status, next.turn, next.result], ['queued', 2, 'done'])
  assert.equal(await running(run.organizationId), 0)
})

test('a run that loses its worker three times at the same step fails as worker_lost', async () => {
  const { run, holder, workerId } = await makeHeldRun(db)
  for (let loss = 1; loss <= 3; loss++) {
    await db.query(
      `update run_heads set status = 'in_progress', worker_id = $2, lease_id = $3, claims = $4 where run_id = $1`,
      [run.id, workerId, holder.leaseId, loss],
    )
    if (loss > 1)
      await db.query('update run_slots set running = running + 1 where organization_id = $1', [run.organizationId])
    await releaseRun(db, { ...holder, isLost: true, mask })
  }
  const failed = await getRun(db, ids(run))
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'worker_lost'])
  const entries = await readLogPage(db, { ...ids(run), blobs, from: 1, to: 100 })
  assert.equal(JSON.parse(entries.at(-1) ?? '').message_type, 'ERROR')
})

test('runs are listed newest first, by what they are, a page at a time', async () => {
  const organization = await makeOrganization(db)
  const options = { organizationId: organization.id, userId: organization.adminId }
  const first = await makeRun(db, { ...options, prompt: 'alpha 100%' })
  const second = await makeRun(db, { ...options, prompt: 'beta', agentType: 'repair' })
  const list = async (filters: object, page = { skip: 0, limit: 100 }) =>
    (await listRuns(db, { organizationId: organization.id, ...page, filters })).items.map(({ id }) => id)
  assert.deepEqual(await list({}), [second.id, first.id])
  assert.deepEqual(await list({}, { skip: 1, limit: 1 }), [first.id])
  assert.deepEqual(await list({ agentType: 'repair' }), [second.id])
  assert.deepEqual(await list({ q: '100%' }), [first.id])
  assert.deepEqual(await list({ q: '%a%' }), [])
  assert.deepEqual(await list({ status: ['completed', 'failed'] }), [])
  assert.deepEqual(await list({ archived: true }), [])
  assert.deepEqual(await list({ createdAfter: second.createdAt }), [second.id])
  assert.deepEqual(await list({ createdBefore: second.createdAt }), [first.id])
})
