import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { AppError } from '#base/errors.ts'
import { one } from '#db/pool.ts'
import { TenantDb } from '#db/tenant-db.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import { storeBlob } from '#domain/runs/blobs/store-blob.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { correctGitBytes } from './correct-git-bytes.ts'
import { forgetGitBytes } from './forget-git-bytes.ts'
import { getStorage } from './get-storage.ts'
import { limitStorage } from './limit-storage.ts'
import { saveStorageLimits } from './save-storage-limits.ts'
import { takingStorage } from './storage.ts'
import { takeGitBytes } from './take-git-bytes.ts'

const db = await testDb()
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-storage-'))
after(() => rm(folder, { recursive: true, force: true }))
const store = openFileBlobs({ folder })
const MiB = 2 ** 20
const roomy = { organization: 100 * MiB, repo: 50 * MiB, run: 20 * MiB }
await saveStorageLimits(db, roomy)

const isFull = (error: unknown) => error instanceof AppError && error.code === 'storage_full'
const used = async (organizationId: number) => (await getStorage(db, { organizationId })).used

/** How many of fifty at once are let in; the others must be refused with the limit. */
async function fiftyTake(take: (n: number) => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => take(n)))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.ok(isFull(outcome.reason), String(outcome.reason))
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

const mask = (text: string) => text
const output = (length: number) => [{ messageType: 'FINAL_ANSWER' as const, observation: 'x'.repeat(length) }]

/** So that an organization has made its last repository and run. */
const held = async () => (await makeHeldRun(db)).holder

for (const [scope, most] of Object.entries(roomy))
  test(`fifty pushes at once fill the limit of ${scope} exactly, and not one byte over it`, async () => {
    const { organizationId, runId } = await held()
    const bytes = most / 10
    const request = {
      organizationId,
      repoId: scope === 'organization' ? null : 9,
      runId: scope === 'run' ? runId : null,
      bytes,
    }
    assert.equal(await fiftyTake(() => takeGitBytes(db, request)), 10)
    assert.equal((await used(organizationId)).git, most)
    await assert.rejects(
      takeGitBytes(db, { ...request, bytes: 1 }),
      /may store \d+ MiB, and this would make it.*RUNWRIGHT_STORAGE/,
    )
  })

for (const kind of ['artifacts', 'checkpoints', 'images', 'logs'] as const)
  test(`fifty blobs for ${kind} at once fill the limit exactly, and none beyond it reaches the store`, async () => {
    const { organizationId } = await held()
    await limitStorage(db, { organizationId, bytesMax: 7 * MiB, byOperator: false })
    const bytesOf = (n: number) => Buffer.alloc(MiB, `${unique(kind)} ${n}`)
    assert.equal(await fiftyTake((n) => storeBlob(db, store, { organizationId, bytes: bytesOf(n), kind })), 7)
    assert.equal((await used(organizationId))[kind], 7 * MiB)
    const files = (
      await readdir(path.join(folder, String(organizationId)), { recursive: true, withFileTypes: true })
    ).filter((one) => one.isFile())
    assert.equal(files.length, 7)
  })

test('the same bytes count once, and are given back when they are swept', async () => {
  const { organizationId } = await held()
  const bytes = Buffer.alloc(MiB, unique('same'))
  for (let n = 0; n < 3; n++) await storeBlob(db, store, { organizationId, bytes })
  assert.equal((await used(organizationId)).artifacts, MiB)
  await db.query(`update blobs set look_at = now() - interval '2 days' where organization_id = $1`, [organizationId])
  await sweepBlobs(db, store)
  assert.equal((await used(organizationId)).bytes, 0)
})

test("a run's artifacts count for the run, also where another run has left the same", async () => {
  const { holder } = await makeHeldRun(db)
  const { organizationId, runId } = holder
  const blob = await storeBlob(db, store, { organizationId, bytes: Buffer.alloc(2 * MiB, unique('a')) })
  const save = (name: string) => saveArtifact(db, { holder, name, contentType: 'text/plain', blob })
  assert.equal(await fiftyTake((n) => save(`${n}.txt`)), 10)
  const { artifacts } = await one<{ artifacts: number }>(
    db,
    `select artifacts from storage where organization_id = $1 and scope = 'run' and id = $2`,
    [organizationId, runId],
  )
  assert.equal(artifacts, roomy.run)
  const { count } = await one<{ count: number }>(db, 'select count(*) as count from artifacts where run_id = $1', [
    runId,
  ])
  assert.equal(count, 10)
  assert.equal((await used(organizationId)).artifacts, 2 * MiB)
})

test('snapshots count while they are kept, and fifty at once fill the limit exactly', async () => {
  const { organizationId } = await held()
  await limitStorage(db, { organizationId, bytesMax: 5 * MiB, byOperator: false })
  const repo = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const insert = (n: number) =>
    db.query(
      `insert into snapshots (organization_id, repo_id, n, place, key, base_commit, state, bytes) values ($1, $2, $3, 'here', $5, 'c', 'ready', $4)`,
      [organizationId, repo.id, n + 1, MiB, `key ${n}`],
    )
  assert.equal(await fiftyTake((n) => takingStorage(() => insert(n))), 5)
  await db.query('delete from snapshots where organization_id = $1', [organizationId])
  assert.equal((await used(organizationId)).snapshots, 0)
})

test('how a turn ends is told whatever the limits, and counts once as it ends', async () => {
  const { holder } = await makeHeldRun(db)
  const { organizationId } = holder
  await limitStorage(db, { organizationId, bytesMax: 0, byOperator: false })
  await finishTurn(db, {
    holder,
    mask,
    end: { status: 'completed', result: 'x', summary: null },
    entries: output(1_000),
  })
  const { logs } = await used(organizationId)
  assert.ok(logs > 1_000 && logs < 2_000, String(logs))
  await assert.rejects(storeBlob(db, store, { organizationId, bytes: Buffer.from('one more') }), isFull)
})

test('what is found in a repository corrects what was counted, and its removal gives it back', async () => {
  const { organizationId } = await held()
  await takeGitBytes(db, { organizationId, repoId: 5, runId: null, bytes: 30 * MiB })
  await correctGitBytes(db, { organizationId, repoId: 5, bytes: 4 * MiB, againMs: null })
  assert.equal((await used(organizationId)).git, 4 * MiB)
  await forgetGitBytes(db, { organizationId, repoId: 5 })
  assert.equal((await used(organizationId)).bytes, 0)
  const tenant = new TenantDb(db, organizationId)
  await assert.rejects(forgetGitBytes(tenant, { organizationId: organizationId + 1, repoId: 5 }))
})

test('an organization may lower its limit and raise it again, and the operator alone may grant more', async () => {
  const { organizationId } = await held()
  const most = async () => (await getStorage(db, { organizationId })).bytesMax
  await limitStorage(db, { organizationId, bytesMax: 10, byOperator: false })
  assert.equal(await most(), 10)
  await limitStorage(db, { organizationId, bytesMax: 20 * MiB, byOperator: false })
  assert.equal(await most(), 20 * MiB)
  await assert.rejects(limitStorage(db, { organizationId, bytesMax: 101 * MiB, byOperator: false }), {
    code: 'forbidden',
  })
  await limitStorage(db, { organizationId, bytesMax: 300 * MiB, byOperator: true })
  assert.equal(await most(), 300 * MiB)
})
