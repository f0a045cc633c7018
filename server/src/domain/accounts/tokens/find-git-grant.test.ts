import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { one } from '#db/pool.ts'
import { createRun } from '#domain/runs/runs/create-run.ts'
import { makeOrganization, makeToken, makeTokenKeys, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { createGitToken } from './create-git-token.ts'
import { findGitGrant } from './find-git-grant.ts'
import { findPrincipal } from './find-principal.ts'
import { openReadingAccess } from '#domain/repos/repos/open-reading-access.ts'

const db = await testDb()
const keys = makeTokenKeys({ clock: systemClock })

/** A run at work, held under a lease, with a git token for its branch. */
async function makeHeldRun() {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const { id: runId } = await createRun(db, {
    organizationId,
    userId,
    sourceType: 'API',
    agentType: 'scripted',
    prompt: 'Go',
    repoId,
  })
  const leaseId = randomUUID()
  await hold(organizationId, runId, leaseId)
  const secret = await createGitToken(db, keys, {
    organizationId,
    run: { runId, leaseId },
    repoId,
    pushBranches: ['runwright/1'],
  })
  return { organizationId, userId, repoId, runId, leaseId, secret }
}

async function hold(organizationId: number, runId: number, leaseId: string): Promise<void> {
  const values = [organizationId, runId, leaseId]
  await db.query(
    `update run_heads set status = 'in_progress', worker_id = 1, lease_id = $3 where organization_id = $1 and run_id = $2`,
    values,
  )
}

test('the git token of a run at work reads its repository and pushes its branch', async () => {
  const { organizationId, repoId, runId, secret } = await makeHeldRun()
  assert.deepEqual(await findGitGrant(db, keys, { secret, organizationId, repoId }), {
    userId: null,
    runId,
    pushBranches: ['runwright/1'],
  })
})

test('it is good for no other repository and for nothing but git', async () => {
  const [{ secret, organizationId, repoId }, other] = [await makeHeldRun(), await makeHeldRun()]
  for (const at of [
    { organizationId, repoId: other.repoId },
    { organizationId: other.organizationId, repoId },
    { organizationId, repoId: null },
  ])
    assert.equal(await findGitGrant(db, keys, { secret, ...at }), 'elsewhere')
  assert.equal(await findPrincipal(db, keys, secret), undefined)
})

test('it dies as soon as the run is held under another lease', async () => {
  const { organizationId, repoId, runId, secret } = await makeHeldRun()
  await hold(organizationId, runId, randomUUID())
  assert.equal(await findGitGrant(db, keys, { secret, organizationId, repoId }), undefined)
})

test('a worker’s own token reads one repository for what is no run, pushes nothing, and ends by itself', async () => {
  const { organizationId, repoId } = await makeHeldRun()
  const { secret, path } = await openReadingAccess(db, keys, { organizationId, repoId })
  assert.match(path, new RegExp(`^/git/${organizationId}/`))
  const at = { secret, organizationId, repoId }
  assert.deepEqual(await findGitGrant(db, keys, at), { userId: null, runId: null, pushBranches: [] })
  const other = await makeHeldRun()
  assert.equal(await findGitGrant(db, keys, { ...at, repoId: other.repoId }), 'elsewhere')
  assert.equal(await findGitGrant(db, keys, { ...at, repoId: null, runId: null }), 'elsewhere')
  assert.equal(await findPrincipal(db, keys, secret), undefined)
  await assert.rejects(
    createGitToken(db, keys, { organizationId, run: null, repoId, pushBranches: ['main'] }),
    /credentials_git_check/,
  )
  await db.query(`update credentials set expires_at = now() where organization_id = $1 and run_id is null`, [
    organizationId,
  ])
  assert.equal(await findGitGrant(db, keys, at), undefined)
})

test('a member reads and pushes with a token of their own, or reads only; a stranger does neither', async () => {
  const { organizationId, userId, repoId } = await makeHeldRun()
  const secret = await makeToken(db, keys, { organizationId, userId })
  assert.deepEqual(await findGitGrant(db, keys, { secret, organizationId, repoId }), {
    userId,
    runId: null,
    pushBranches: null,
  })
  const narrow = await makeToken(db, keys, { organizationId, userId, scopes: ['read'] })
  assert.deepEqual(await findGitGrant(db, keys, { secret: narrow, organizationId, repoId }), {
    userId,
    runId: null,
    pushBranches: [],
  })
  const stranger = await makeOrganization(db)
  const strange = await makeToken(db, keys, { organizationId: stranger.id, userId: stranger.adminId })
  assert.equal(await findGitGrant(db, keys, { secret: strange, organizationId, repoId }), 'elsewhere')
  assert.equal(await findGitGrant(db, keys, { secret: `${strange}x`, organizationId, repoId }), undefined)
})
