import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { mayCollect } from '#domain/accounts/storage/may-collect.ts'
import { one } from '#db/pool.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { storeBlob } from '#domain/runs/blobs/store-blob.ts'
import { commitTo } from '#test/commit-to.ts'
import { emptyPlace } from '#test/empty-place.ts'
import { makeRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { mountDisk } from '#test/mount-disk.ts'
import { operate, startCommand } from '#test/operate.ts'
import { testDb } from '#test/test-db.ts'
import { testFolder } from '#test/test-git.ts'

const db = await testDb()
const folder = await testFolder()
const dataDir = path.join(folder, 'data')
const env = { DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: dataDir }
const kills = 6
/** Each command starts a process and ends it, on a machine that may have much else to do. */
const patience = { timeout: 400_000 }

const { id: organizationId, adminId: userId } = await makeOrganization(db)
const blobs = openFileBlobs({ folder: path.join(dataDir, 'blobs') })
for (let n = 0; n < 10; n++) {
  const repo = await createRepo(db, {
    organizationId,
    admin: openLocalHost({ folder: path.join(dataDir, 'git') }),
    name: `web-${n}`,
  })
  commitTo(path.join(dataDir, 'git', repo.path), { branch: 'main', files: { a: String(n) } })
}
for (let n = 0; n < 200; n++) await makeRun(db, { organizationId, userId, prompt: 'Text '.repeat(2_000) })
for (let n = 0; n < 100; n++) await storeBlob(db, blobs, { organizationId, bytes: Buffer.alloc(50_000, n) })

/** How long a whole one takes, and its folder. */
async function measure(words: string[], at: Record<string, string>): Promise<number> {
  const begun = performance.now()
  await operate(words, at)
  return performance.now() - begun
}

/** As two minutes after a killed process put a repository in order, which the next one then does. */
function age(): void {
  for (const lock of globSync(path.join(dataDir, 'git/*/*/objects/maintenance.lock'))) utimesSync(lock, 0, 0)
}

const whole = path.join(folder, 'whole')
const backupMs = await measure(['backup', whole], env)

test(
  `a backup that is killed at ${kills} moments is whole or not there, and keeps nobody from anything`,
  patience,
  async () => {
    const target = path.join(folder, 'killed')
    for (let n = 1; n <= kills; n++) {
      const { child, ended } = startCommand(['backup', target], env)
      await sleep((backupMs * n) / (kills + 1))
      child.kill('SIGKILL')
      await ended
      age()
      if (existsSync(target)) {
        await operate(['verify', target], env)
        break
      }
      for (const until = Date.now() + 60_000; !(await mayCollect(db)); await sleep(20)) assert.ok(Date.now() < until)
    }
    const after = path.join(folder, 'killed-after')
    await operate(['backup', after], env)
    if (!existsSync(target)) await operate(['backup', target], env)
    await operate(['verify', target], env)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('unfinished')),
      [],
    )
  },
)

test('one that is told to end, or runs out of disk, leaves nothing', patience, async (t) => {
  const target = path.join(folder, 'told')
  const { child, ended } = startCommand(['backup', target], env)
  for (const until = Date.now() + 60_000; !existsSync(`${target}.unfinished`); await sleep(2))
    assert.ok(Date.now() < until)
  child.kill('SIGTERM')
  assert.equal((await ended).code, 1)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('told')),
    [],
  )
  const disk = mountDisk(1)
  if (!disk) return t.skip('nothing can be mounted here')
  await assert.rejects(
    operate(['backup', path.join(disk, 'full')], env),
    /^Error: The disk of \S+ is full\. Make room, or choose another folder\.\n$/,
  )
  assert.deepEqual(readdirSync(disk), [])
})

test('a restore that is killed at any moment can be repeated, and is whole then', patience, async () => {
  const place = await emptyPlace(db)
  const first = await emptyPlace(db)
  const restoreMs = await measure(['restore', '--without-key', whole], first.env)
  for (let n = 1; n <= 6; n++) {
    const { child, ended } = startCommand(['restore', '--without-key', whole], place.env)
    await sleep((restoreMs * n) / 7)
    child.kill('SIGKILL')
    const { code } = await ended
    if (code === 0) break
  }
  await operate(['restore', '--without-key', whole], place.env).catch((error: Error) => {
    // The last one was killed after its end.
    assert.match(error.message, /The database is not empty/)
  })
  const count = `select (select count(*) from runs) as runs, (select count(*) from repos) as repos, (select count(*) from blobs) as blobs`
  assert.deepEqual(await one(place.pool, count), await one(db, count))
  assert.equal(readdirSync(path.join(place.dataDir, 'git', String(organizationId))).length, 10)
})

test('a service whose disk is too small for a backup stays empty', async (t) => {
  const disk = mountDisk(2)
  if (!disk) return t.skip('nothing can be mounted here')
  const place = await emptyPlace(db)
  const small = { ...place.env, RUNWRIGHT_DATA_DIR: path.join(disk, 'data') }
  await assert.rejects(operate(['restore', '--without-key', whole], small), /^Error: The disk of \S+ is full/)
  assert.deepEqual(await one(place.pool, 'select count(*) as count from runs'), { count: 0 })
  await operate(['restore', '--without-key', whole], place.env)
})
