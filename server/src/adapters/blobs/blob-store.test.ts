import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import type { BlobStore } from './blob-store.ts'
import { openFileBlobs } from './file.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-blobs-'))
after(() => rm(folder, { recursive: true, force: true }))

const stores: [name: string, store: BlobStore][] = [['file', openFileBlobs({ folder })]]
const hello = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'

for (const [name, store] of stores) {
  describe(name, () => {
    test('what was put is there, under the name of what it is', async () => {
      assert.deepEqual(await store.put(1, Buffer.from('hello')), { sha256: hello, bytes: 5 })
      assert.equal((await store.get({ organizationId: 1, sha256: hello }))?.toString(), 'hello')
      const opened = await store.open({ organizationId: 1, sha256: hello })
      assert.equal(opened?.bytes, 5)
      assert.equal(Buffer.concat((await opened?.content.toArray()) ?? []).toString(), 'hello')
    })

    test('the same may be put many times at once', async () => {
      const bytes = Buffer.alloc(1_000_000, 'x')
      const all = await Promise.all(Array.from({ length: 8 }, () => store.put(2, bytes)))
      assert.equal(new Set(all.map(({ sha256 }) => sha256)).size, 1)
      assert.equal((await store.get({ organizationId: 2, sha256: all[0]!.sha256 }))?.length, 1_000_000)
    })

    test('nothing is nothing, and may be stored too', async () => {
      const { sha256 } = await store.put(1, Buffer.alloc(0))
      assert.equal((await store.get({ organizationId: 1, sha256 }))?.length, 0)
    })

    test("another organization's bytes are not there", async () => {
      assert.equal(await store.get({ organizationId: 3, sha256: hello }), undefined)
      assert.equal(await store.open({ organizationId: 3, sha256: hello }), undefined)
    })

    test('a name that is none reaches no file', async () => {
      await assert.rejects(async () => store.get({ organizationId: 1, sha256: '../../etc/passwd' }), TypeError)
    })
  })
}

test('nothing half written is left lying about', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.ok(files.length >= 3)
  assert.ok(files.every(({ name }) => /^[0-9a-f]{64}$/.test(name)))
})
