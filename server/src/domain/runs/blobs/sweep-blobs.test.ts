import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { maybeOne } from '#db/pool.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { storeBlob } from './store-blob.ts'
import { sweepBlobs } from './sweep-blobs.ts'

const db = await testDb()
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-sweep-'))
after(() => rm(folder, { recursive: true, force: true }))
const store = openFileBlobs({ folder })

const { run, holder } = await makeHeldRun(db)
const { organizationId } = run

async function makeBlob(text = unique('text')) {
  const bytes = Buffer.from(text)
  return { ...(await storeBlob(db, store, { organizationId, bytes })), organizationId, text }
}
const nameIt = (blob: { sha256: string; bytes: number }, name = unique('name')) =>
  saveArtifact(db, { holder, name, contentType: 'text/plain', blob })
/** As if so much time had passed. */
const pass = (time: string) => db.query('update blobs set look_at = look_at - $1::interval', [time])
const isThere = async (key: { organizationId: number; sha256: string }) => {
  const row = await maybeOne(db, 'select from blobs where sha256 = $1', [key.sha256])
  assert.equal(row !== undefined, (await store.get(key)) !== undefined, 'bytes and row go together')
  return row !== undefined
}

test('bytes that no row names are removed after an hour, not before', async () => {
  const blob = await makeBlob()
  await pass('59 minutes')
  assert.equal(await sweepBlobs(db, store), 0)
  assert.equal(await isThere(blob), true)
  await pass('1 minute')
  assert.equal(await sweepBlobs(db, store), 1)
  assert.equal(await isThere(blob), false)
})

test('what an artifact or an image of a message names stays, and is looked at once a day', async () => {
  const [artifact, image] = [await makeBlob(), await makeBlob()]
  await nameIt(artifact)
  await db.query('update messages set images = $2 where run_id = $1', [
    run.id,
    JSON.stringify([{ sha256: image.sha256, media_type: 'image/png' }]),
  ])
  await pass('2 hours')
  assert.equal(await sweepBlobs(db, store), 0)
  await db.query(`update messages set images = '[]' where run_id = $1`, [run.id])
  await pass('23 hours')
  await sweepBlobs(db, store)
  assert.deepEqual([await isThere(artifact), await isThere(image)], [true, true])
  await pass('1 hour')
  assert.equal(await sweepBlobs(db, store), 1)
  assert.deepEqual([await isThere(artifact), await isThere(image)], [true, false])
})

test('bytes whose artifact was replaced are removed, those in its place are not', async () => {
  const [old, next] = [await makeBlob(), await makeBlob()]
  await nameIt(old, 'report.txt')
  await nameIt(next, 'report.txt')
  await pass('2 days')
  await sweepBlobs(db, store)
  assert.deepEqual([await isThere(old), await isThere(next)], [false, true])
})

test('a worker that died between the row and the bytes leaves nothing that stays', async () => {
  await db.query(`insert into blobs (organization_id, sha256, bytes) values ($1, repeat('a', 64), 5)`, [organizationId])
  await pass('1 hour')
  assert.equal(await sweepBlobs(db, store), 1)
})

test('old bytes that are stored again this moment stay', async () => {
  const { text, ...blob } = await makeBlob()
  await pass('2 days')
  await makeBlob(text)
  assert.equal(await sweepBlobs(db, store), 0)
  assert.equal(await isThere(blob), true)
})

test('who stores the same bytes while they are being removed finds them stored in the end', async () => {
  const { text, ...blob } = await makeBlob()
  await pass('2 days')
  const removing = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const slow = {
    delete: async (key: typeof blob) => {
      removing.resolve()
      await goOn.promise
      await store.delete(key)
    },
  }
  const sweeping = sweepBlobs(db, slow)
  await removing.promise
  const storing = makeBlob(text)
  await untilSomebodyWaits()
  goOn.resolve()
  assert.ok((await sweeping) > 0)
  await nameIt(await storing)
  assert.equal(await isThere(blob), true)
  assert.equal((await store.get(blob))?.toString(), text)
})

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const waiting = await maybeOne(
      db,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (waiting) return
  }
}
