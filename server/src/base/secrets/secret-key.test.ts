import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSecretKey } from './secret-key.ts'
import { Secret } from './secret.ts'

const root = mkdtempSync(path.join(os.tmpdir(), 'runwright-key-'))
after(() => rmSync(root, { recursive: true }))

test('a key is made once, readable for its owner alone, and found again', () => {
  const dataDir = path.join(root, 'made')
  const first = openSecretKey({ secretKey: null, dataDir }).derive('tokens')
  assert.deepEqual(openSecretKey({ secretKey: null, dataDir }).derive('tokens'), first)
  assert.equal(statSync(path.join(dataDir, 'secret-key')).mode & 0o777, 0o600)
  assert.ok(!readFileSync(path.join(dataDir, 'secret-key')).includes(first))
})

test('each purpose has a key of its own', () => {
  const key = openSecretKey({ secretKey: new Secret('x'.repeat(32)), dataDir: root })
  assert.notDeepEqual(key.derive('tokens'), key.derive('secrets'))
})

test('a given key is used in place of the file', () => {
  const dataDir = path.join(root, 'made')
  const options = openSecretKey({ secretKey: new Secret('y'.repeat(32)), dataDir }).derive('tokens')
  assert.notDeepEqual(options, openSecretKey({ secretKey: null, dataDir }).derive('tokens'))
})

test('an emptied key file is refused rather than replaced', () => {
  writeFileSync(path.join(root, 'secret-key'), '')
  assert.throws(() => openSecretKey({ secretKey: null, dataDir: root }), /secret-key is empty/)
})
