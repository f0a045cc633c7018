import assert from 'node:assert/strict'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { limitStorage } from '#domain/accounts/storage/limit-storage.ts'
import { never, openChecks, openCheckScenes, type Scene } from '#test/check-scenes.ts'
import { until } from '#test/test-sandboxes.ts'
import { nodeHealthOf } from '#worker/health/node-health.ts'

const { app, db, checks, makeScene, handleEvents, drain, checkOf, logOf } = await openCheckScenes()

async function run(worker = checks): Promise<void> {
  while (await worker.begin(never)) await worker.ended()
}

/** Runs them on the same machine, as a worker that has not avoided anything yet. */
async function runElsewhere(): Promise<void> {
  await using other = openChecks(app)
  await run(other)
}

/** Does something while the disk of the machine is broken, and goes on once the machine is known to be fit again. */
async function whileBroken(act: () => Promise<void>): Promise<void> {
  const { temporaryFolder } = app
  const away = `${temporaryFolder}-away`
  renameSync(temporaryFolder, away)
  try {
    await act()
  } finally {
    renameSync(away, temporaryFolder)
    await until(() => nodeHealthOf(app).isFit(0), 'the machine is fit again')
  }
}

const faultsOf = ({ repoId }: Scene) =>
  one<{ status: string; losses: number; faults: number }>(
    db,
    'select status, losses, node_faults as faults from checks where repo_id = $1',
    [repoId],
  )

test('a check that fails while the disk of its worker is broken is run by another, and loses no try', async () => {
  const scene = await makeScene('echo verdict; exit 1')
  await handleEvents()
  await whileBroken(async () => {
    await run()
    assert.equal(await checks.begin(never), 0, 'an unfit machine takes none')
    assert.deepEqual(await faultsOf(scene), { status: 'queued', losses: 0, faults: 1 })
  })
  assert.equal(await checks.begin(never), 0, 'others come first')
  await runElsewhere()
  assert.partialDeepStrictEqual(await checkOf(scene), { status: 'completed', conclusion: 'failure' })
  assert.match(await logOf(scene), /^\$ echo verdict; exit 1\nverdict\n$/m)
})

test('a setup that fails while the disk of its worker is broken is not remembered, and says nothing of the commit', async () => {
  const scene = await makeScene('test -e made.txt', { setup: 'touch made.txt; exit 3' })
  await handleEvents()
  await whileBroken(() => run())
  assert.deepEqual(await faultsOf(scene), { status: 'queued', losses: 0, faults: 1 })
  assert.deepEqual(await rows(db, `select from snapshots where repo_id = $1 and state = 'failed'`, [scene.repoId]), [])
  await runElsewhere()
  assert.partialDeepStrictEqual(await checkOf(scene), { conclusion: 'failure' })
})

test('a check that workers fail again and again by faults of their own ends, and says that it is not to blame', async () => {
  const scene = await makeScene('exit 1')
  await handleEvents()
  await db.query('update checks set node_faults = 4, node_fault_at = now() where repo_id = $1', [scene.repoId])
  await whileBroken(() => run())
  const check = await checkOf(scene)
  assert.equal(check?.conclusion, 'startup_failure')
  assert.match(check?.summary ?? '', /failed to run this check 5 times in a row, .* its disk cannot be written/)
})

test('a check whose worker cannot store its log is run by another', async () => {
  const scene = await makeScene('echo stored')
  await handleEvents()
  const { blobs } = app.config
  assert.ok(blobs.kind === 'folder')
  const aside = `${blobs.folder}-aside`
  renameSync(blobs.folder, aside)
  writeFileSync(blobs.folder, 'no folder')
  await run()
  assert.deepEqual(await faultsOf(scene), { status: 'queued', losses: 0, faults: 1 })
  rmSync(blobs.folder)
  renameSync(aside, blobs.folder)
  await until(() => nodeHealthOf(app).isFit(0), 'the machine is fit again')
  await runElsewhere()
  assert.equal((await checkOf(scene))?.conclusion, 'success')
  assert.match(await logOf(scene), /stored\n/)
})

test('a check of an organization that is full says what came of it, and why its log is not kept', async () => {
  const scene = await makeScene('echo found; exit 1')
  await limitStorage(db, { organizationId: scene.organizationId, bytesMax: 0, byOperator: false })
  await drain()
  const check = await checkOf(scene)
  assert.deepEqual([check?.conclusion, check?.hasLog], ['failure', false])
  assert.match(check?.summary ?? '', /^Exit code 1\.[^]*The log was not kept: The organization may store 0 MiB/)
  assert.deepEqual(await faultsOf(scene), { status: 'completed', losses: 0, faults: 0 })
})
