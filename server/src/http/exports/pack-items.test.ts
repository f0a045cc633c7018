import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { readArchive } from '#test/read-archive.ts'
import { packItems, type ArchiveItem } from './pack-items.ts'

const MiB = 2 ** 20
const at = new Date()
const onError = () => {}

test('no more files are asked for than its reader takes, and none once it has gone', async () => {
  let asked = 0
  const over = Promise.withResolvers<void>()
  async function* items(): AsyncGenerator<ArchiveItem> {
    try {
      for (;;) yield { name: `${++asked}`, bytes: MiB, content: randomBytes(MiB) }
    } finally {
      over.resolve()
    }
  }
  const archive = packItems({ items: items(), at, onError: (error) => assert.fail(error) })
  await once(archive, 'readable')
  for (let before = 0; before !== asked; await sleep(200)) before = asked
  assert.ok(asked <= 3, `${asked} files are held for a reader who takes nothing`)
  for (let read = 0; read < 20 * MiB;) {
    const chunk = archive.read() as Buffer | null
    if (chunk) read += chunk.length
    else await once(archive, 'readable')
  }
  assert.ok(asked >= 20 && asked <= 24, String(asked))
  archive.destroy()
  await over.promise
})

test('what fails on the way is no archive for its reader', async () => {
  const errors: string[] = []
  async function* failing(): AsyncGenerator<ArchiveItem> {
    yield { name: 'one', bytes: 3, content: Buffer.from('one') }
    throw new Error('the rest is gone')
  }
  const cut = packItems({ items: failing(), at, onError: ({ message }) => errors.push(message) })
  await assert.rejects(readArchive(cut))
  async function* short(): AsyncGenerator<ArchiveItem> {
    yield { name: 'one', bytes: 4, content: Buffer.from('one') }
  }
  await assert.rejects(readArchive(packItems({ items: short(), at, onError: ({ message }) => errors.push(message) })))
  assert.deepEqual(errors, ['the rest is gone', 'one has 3 bytes, not 4'])
})

test('names of any length and letters are read as they were written', async () => {
  const names = [`${'long/'.repeat(50)}name`, 'artifacts/7/ä 文件 ‮.txt', 'x'.repeat(300)]
  async function* items(): AsyncGenerator<ArchiveItem> {
    for (const name of names) yield { name, bytes: name.length, content: Buffer.alloc(name.length) }
  }
  assert.deepEqual([...(await readArchive(packItems({ items: items(), at, onError }))).keys()], names)
})
