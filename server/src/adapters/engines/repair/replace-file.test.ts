import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import { replaceFile, restoreFile } from './replace-file.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 256 * MiB, processes: 64, diskBytes: 64 * MiB, lifetimeMs: 60_000 }

test('a replaced file is put back: after the run, after an error, and by the next worker', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'replace-test-'))
  chmodSync(folder, 0o711)
  const provider = openBubblewrap({ folder })
  const sandbox = await provider.create({ id: 'replace', limits })
  const file = `${sandbox.paths.workspace}/cart.js`
  const read = async () => (await sandbox.readFile(file)).toString()
  await sandbox.writeFile(file, Buffer.from('original'))
  const seen = await Promise.all(
    ['one', 'two'].map((source) => replaceFile(sandbox, { file: 'cart.js', source }, read)),
  )
  assert.deepEqual(seen, ['one', 'two'])
  await assert.rejects(
    replaceFile(sandbox, { file: 'cart.js', source: 'three' }, async () => {
      throw new Error('stopped')
    }),
    /stopped/,
  )
  assert.equal(await read(), 'original')
  // The worker is lost: what it would do at the end never comes.
  let end = () => {}
  const lost = replaceFile(
    sandbox,
    { file: 'cart.js', source: 'four' },
    () => new Promise<void>((resolve) => (end = resolve)),
  )
  while ((await read()) !== 'four') continue
  await restoreFile(sandbox)
  assert.equal(await read(), 'original')
  end()
  await lost
  await provider.remove('replace')
  await removeTree(folder)
})
