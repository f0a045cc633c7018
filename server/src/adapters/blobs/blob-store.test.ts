import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { Secret } from '#base/secrets/secret.ts'
import { s3Settings, startS3Server } from '#test/s3-server.ts'
import { BlobDamaged, BlobsUnavailable, type BlobStore } from './blob-store.ts'
import { openFileBlobs } from './file.ts'
import { openS3Blobs, type S3BlobsOptions } from './s3.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-blobs-'))
const server = await startS3Server({ ...s3Settings, pageSize: 2 })
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const access = {
  endpoint: server.url,
  region: s3Settings.region,
  bucket: s3Settings.bucket,
  accessKeyId: new Secret(s3Settings.accessKeyId),
  secretAccessKey: new Secret(s3Settings.secretAccessKey),
  clock: systemClock,
  timing: { retryMs: [1, 1, 1] },
}
const s3 = (more: Partial<S3BlobsOptions> = {}) => openS3Blobs({ ...access, prefix: 'some/prefix', ...more })

const stores: [name: string, store: BlobStore, damage: (path: string) => void][] = [
  ['file', openFileBlobs({ folder }), (at) => writeFileSync(path.join(folder, at), 'jello')],
  ['s3', s3(), (at) => (server.objects.get(`some/prefix/${at}`)!.bytes = Buffer.from('jello'))],
  ['s3 without a prefix', s3({ prefix: '' }), (at) => (server.objects.get(at)!.bytes = Buffer.from('jello'))],
]
const hello = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'

for (const [name, store, damage] of stores) {
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

    test('a file is stored like bytes, and stays where it was', async () => {
      const file = path.join(folder, `to-store-${name}`)
      writeFileSync(file, Buffer.alloc(3_000_000, 'y'), { mode: 0o444 })
      const { sha256, bytes } = await store.put(5, { file })
      assert.equal(bytes, 3_000_000)
      assert.deepEqual(await store.put(5, { file }), { sha256, bytes })
      assert.equal((await store.get({ organizationId: 5, sha256 }))?.at(-1), 'y'.charCodeAt(0))
      await rm(file)
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

    test('a list names what is stored, page by page, and when it was put last', async () => {
      const before = Date.now() - 2_000
      const put = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => store.put(7, Buffer.from(text))))
      const all = (await Array.fromAsync(store.list())).filter(({ organizationId }) => organizationId === 7)
      assert.deepEqual(
        all.map(({ sha256, bytes }) => `${sha256} ${bytes}`).toSorted(),
        put.map(({ sha256, bytes }) => `${sha256} ${bytes}`).toSorted(),
      )
      assert.ok(all.every(({ storedAt }) => storedAt.getTime() > before && storedAt.getTime() <= Date.now() + 2_000))
    })

    test('what is deleted is gone, and may be deleted again', async () => {
      const { sha256 } = await store.put(8, Buffer.from('gone'))
      await store.delete({ organizationId: 8, sha256 })
      await store.delete({ organizationId: 8, sha256 })
      assert.equal(await store.get({ organizationId: 8, sha256 }), undefined)
      assert.ok(!(await Array.fromAsync(store.list())).some(({ organizationId }) => organizationId === 8))
    })

    test('bytes that are no longer what was stored are not handed out as that', async () => {
      await store.put(9, Buffer.from('hello'))
      damage(`9/2c/${hello}`)
      await assert.rejects(store.get({ organizationId: 9, sha256: hello }), BlobDamaged)
    })

    test('it says that it can be used', async () => {
      await store.probe()
    })
  })
}

test('nothing half written is left lying about', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.ok(files.length >= 3)
  assert.ok(files.every(({ name }) => /^[0-9a-f]{64}$/.test(name)))
})

describe('a store on the network', () => {
  const key = { organizationId: 1, sha256: hello }
  const hidden = new RegExp([s3Settings.accessKeyId, s3Settings.secretAccessKey.slice(0, 20)].join('|'))

  async function refused(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => assert.fail('it worked'),
      (failure: unknown) => failure,
    )
    assert.ok(error instanceof BlobsUnavailable, String(error))
    assert.doesNotMatch(`${error.message} ${String(error.cause)} ${JSON.stringify(error)}`, hidden)
    return error.message
  }

  test('is tried again while it stumbles', async () => {
    server.fail({ kind: 'status', status: 503, code: 'SlowDown' }, 2)
    await s3().put(1, Buffer.from('hello'))
    server.fail({ kind: 'cut' })
    server.fail({ kind: 'status', status: 500 })
    assert.equal((await s3().get(key))?.toString(), 'hello')
  })

  test('that is slow is not waited for beyond its time', async () => {
    const quick = s3({ timing: { retryMs: [1], answerMs: 50, stallMs: 50 } })
    server.fail({ kind: 'stall', part: 'answer' })
    assert.equal((await quick.get(key))?.toString(), 'hello')
    server.fail({ kind: 'stall', part: 'body' }, 2)
    assert.match(await refused(quick.get(key)), /cannot be reached: it stopped in the middle of its answer/)
  })

  test('that ends a body early is noticed by whoever reads it', async () => {
    server.fail({ kind: 'cut' })
    const opened = await s3().open(key)
    await assert.rejects(opened!.content.toArray())
  })

  test('that stays down is told after some tries, without a secret', async () => {
    server.fail({ kind: 'status', status: 503, code: 'SlowDown' }, 4)
    assert.match(
      await refused(s3().put(1, Buffer.from('hello'))),
      /bucket at http.* cannot be reached: it answered 503/,
    )
    const gone = await startS3Server()
    await gone[Symbol.asyncDispose]()
    const closed = s3({ endpoint: gone.url })
    assert.match(await refused(closed.get(key)), /ECONNREFUSED/)
    assert.match(await refused(closed.probe()), /ECONNREFUSED/)
  })

  test('that refuses says what to check, at once', async () => {
    const asked = server.requests.length
    const wrong = s3({ secretAccessKey: new Secret('another secret') })
    assert.match(await refused(wrong.put(1, Buffer.from('x'))), /SignatureDoesNotMatch.*RUNWRIGHT_S3_ACCESS_KEY_ID/)
    assert.match(await refused(s3({ bucket: 'none' }).put(1, Buffer.from('x'))), /NoSuchBucket.*RUNWRIGHT_BLOBS/)
    assert.match(await refused(s3({ region: 'us-test-1' }).probe()), /AuthorizationHeaderMalformed/)
    const later = { now: () => new Date(Date.now() + 2 * 3_600_000) }
    assert.match(await refused(s3({ clock: later }).probe()), /RequestTimeTooSkewed.*clock/)
    server.fail({ kind: 'status', status: 301, code: 'PermanentRedirect' })
    assert.match(await refused(s3().get(key)), /RUNWRIGHT_S3_ENDPOINT/)
    assert.equal(server.requests.length, asked + 5)
  })
})
