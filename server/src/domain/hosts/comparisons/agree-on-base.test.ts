import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { agreeOnBase } from './agree-on-base.ts'

const db = await testDb()
const older = 'a'.repeat(40)
const newer = 'b'.repeat(40)

/** Two runs at work that are compared, of which nobody knows yet where they begin. */
async function makeContestants() {
  const { run, holder: first } = await makeHeldRun(db)
  const { organizationId, userId } = run
  const { holder: second } = await makeHeldRun(db, { organizationId, userId: userId! })
  await db.query(
    `with k as (insert into comparisons (organization_id, user_id, title, prompt, judges) values ($1, $2, 't', 'p', '[]') returning id)
     insert into contestants (organization_id, comparison_id, n, run_id, name)
     select $1, k.id, n, run_id, 'c' || n from k, unnest($3::bigint[]) with ordinality as t (run_id, n)`,
    [organizationId, userId, [first.runId, second.runId]],
  )
  const readBase = async () => {
    const text = 'select base_commit as base from comparisons where organization_id = $1'
    return (await one<{ base: string | null }>(db, text, [organizationId])).base
  }
  return { first, second, readBase }
}

async function isOneWaiting(): Promise<boolean> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await db.query(waiting)).rowCount === 1
}

/** The second agrees while what the first has agreed on is not committed yet; where the first is lost, it never is. */
async function agreeAtOnce({ isFirstLost }: { isFirstLost: boolean }) {
  const { first, second, readBase } = await makeContestants()
  const lost = new Error('its worker is lost')
  const { promise: others, resolve } = Promise.withResolvers<string | null>()
  const own = await inTransaction(db, async (tx) => {
    const agreed = await agreeOnBase(tx, { holder: first, baseCommit: older })
    resolve(agreeOnBase(db, { holder: second, baseCommit: newer }))
    await until(isOneWaiting, 'the second waits for the first')
    if (isFirstLost) throw lost
    return agreed
  }).catch((error: unknown) => {
    if (error !== lost) throw error
    return null
  })
  return { first: own, second: await others, comparison: await readBase() }
}

test('two contestants that begin at the same time begin at the same commit', async () => {
  assert.deepEqual(await agreeAtOnce({ isFirstLost: false }), { first: older, second: older, comparison: older })
})

test('where the worker of the first is lost in between, the second begins at its own commit', async () => {
  assert.deepEqual(await agreeAtOnce({ isFirstLost: true }), { first: null, second: newer, comparison: newer })
})

test('who begins later takes what was agreed, and so does the first when it asks again', async () => {
  const { first, second } = await makeContestants()
  assert.equal(await agreeOnBase(db, { holder: first, baseCommit: older }), older)
  assert.equal(await agreeOnBase(db, { holder: second, baseCommit: newer }), older)
  assert.equal(await agreeOnBase(db, { holder: first, baseCommit: newer }), older)
})
