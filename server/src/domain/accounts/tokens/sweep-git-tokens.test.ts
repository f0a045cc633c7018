import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { one } from '#db/pool.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeToken, makeTokenKeys } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { createGitToken } from './create-git-token.ts'
import { findGitGrant } from './find-git-grant.ts'
import { findPrincipal } from './find-principal.ts'
import { openReadingAccess } from '#domain/repos/repos/open-reading-access.ts'
import { sweepGitTokens } from './sweep-git-tokens.ts'
import { digestOf } from './token-keys.ts'

const db = await testDb()
const keys = makeTokenKeys({ clock: systemClock })

/** A run at work with a token of its own for git. */
async function makeRunWithToken() {
  const { run, holder } = await makeHeldRun(db)
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'a', 'a', 'main') returning id`,
    [run.organizationId],
  )
  await createGitToken(db, keys, { organizationId: run.organizationId, run: holder, repoId, pushBranches: [] })
  const count = async () =>
    (await one<{ n: number }>(db, 'select count(*) as n from credentials where run_id = $1', [run.id])).n
  return { run, repoId, count }
}

test("a run's token for git goes when it has expired, or its lease has ended; others stay", async () => {
  const [working, expired, takenOver, ended] = await Promise.all(Array.from({ length: 4 }, makeRunWithToken))
  await db.query(`update credentials set expires_at = now() where run_id = $1`, [expired?.run.id])
  await db.query('update run_heads set lease_id = $2 where run_id = $1', [takenOver?.run.id, randomUUID()])
  await db.query(
    `update run_heads set status = 'completed', lease_id = null, worker_id = null, turn = turn + 1 where run_id = $1`,
    [ended?.run.id],
  )
  const { organizationId, userId } = working!.run
  const person = await makeToken(db, keys, { organizationId, userId: Number(userId), expiresAt: new Date(0) })
  const good = await makeToken(db, keys, { organizationId, userId: Number(userId) })
  const places = { organizationId, repoId: working!.repoId }
  const [reading, read] = await Promise.all([1, 2].map(() => openReadingAccess(db, keys, places)))
  await db.query(`update credentials set expires_at = now() where digest = $1`, [digestOf(keys, read!.secret)])
  assert.equal(await sweepGitTokens(db), 4)
  assert.ok(await findGitGrant(db, keys, { ...places, secret: reading!.secret }))
  assert.deepEqual(await Promise.all([working!, expired!, takenOver!, ended!].map((one) => one.count())), [1, 0, 0, 0])
  assert.ok(await findPrincipal(db, keys, good))
  assert.equal(await findPrincipal(db, keys, person), undefined)
  // People see when theirs have ended.
  const { n } = await one<{ n: number }>(db, `select count(*) as n from credentials where kind = 'token'`)
  assert.equal(n, 2)
  assert.equal(await sweepGitTokens(db), 0)
})
