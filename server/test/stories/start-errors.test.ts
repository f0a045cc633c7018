import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { findMisspelled } from '#base/find-misspelled.ts'
import { describeListenError } from '#process/describe-listen-error.ts'
import { requireFolder } from '#process/require-folder.ts'
import { testApp } from '#test/test-app.ts'

const main = path.resolve(import.meta.dirname, '../../src/main.ts')
const inUse = Object.assign(new Error('listen'), { code: 'EADDRINUSE' })
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-start-'))
writeFileSync(path.join(folder, 'file'), '')

test('a misspelled setting is told of, with what was meant, and others are left alone', () => {
  const asked = new Set(['PORT', 'RUNWRIGHT_DATA_DIR', 'RUNWRIGHT_SCRIPTED'])
  const env = { RUNWRIGHT_DATADIR: 'x', RUNWRIGHT_SCRIPTED: '1', RUNWRIGHT_TEST_DATABASE_URL: 'y', PROT: '1' }
  assert.deepEqual(findMisspelled(env, asked), [
    'RUNWRIGHT_DATADIR is not a setting and is ignored. Did you mean RUNWRIGHT_DATA_DIR?',
  ])
})

test('a data folder that cannot be written ends the start with one sentence that says what to type', async () => {
  const closed = path.join(folder, 'file', 'data')
  await assert.rejects(requireFolder(closed), /is not writable \(ENOTDIR\)\. Choose .* RUNWRIGHT_DATA_DIR=/)
  const { stderr, status } = spawnSync(process.execPath, [main], {
    encoding: 'utf8',
    env: { ...process.env, RUNWRIGHT_DATA_DIR: closed, RUNWRIGHT_WORKER_SLOT: '1' },
  })
  assert.equal(status, 1)
  assert.match(stderr, /Did you mean RUNWRIGHT_WORKER_SLOTS\?/)
  assert.match(stderr, /^The data folder .* RUNWRIGHT_DATA_DIR=\/path\/to\/folder npm start$/m)
  assert.doesNotMatch(stderr, /\n {4}at /)
})

test('a port that is taken is named, with what to type, and whether it is another Runwright', async () => {
  const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const told = await describeListenError(inUse, { port, host: '127.0.0.1' })
  assert.equal(told.message, `Port ${port} is in use. Choose another one: PORT=${port + 1} npm start`)
  other.close()
  const { url } = await testApp()
  const place = { port: Number(new URL(url).port), host: '127.0.0.1' }
  assert.match((await describeListenError(inUse, place)).message, /used by another Runwright, such as npm run demo/)
})
