import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { testFolder } from '#test/test-git.ts'
import { linkLibraries } from './link-libraries.ts'

const folder = await testFolder()
const native = path.join(folder, 'copied')
const link = path.join(native, 'lib/libpq.so')
mkdirSync(path.dirname(link), { recursive: true })
writeFileSync(path.join(native, 'lib/libpq.so.5.18'), 'library')
writeFileSync(
  path.join(native, 'pg-symlinks.json'),
  JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }]),
)

test('libraries get the names that the package lists, in a folder of any name, and once', () => {
  for (const _ of [1, 2]) assert.equal(linkLibraries(native), true)
  assert.equal(readlinkSync(link), 'libpq.so.5.18')
  assert.equal(readFileSync(link, 'utf8'), 'library')
})

test('where somebody else has installed them a missing name is told of, and all that are there are enough', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can be somebody else')
  chmodSync(folder, 0o755)
  const ask = () => {
    process.seteuid?.(64_900)
    try {
      return linkLibraries(native)
    } finally {
      process.seteuid?.(0)
    }
  }
  assert.equal(ask(), true)
  rmSync(link)
  assert.equal(ask(), false)
})
