import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { findMisspelled } from '#base/config/find-misspelled.ts'
import { describeListenError } from '#process/describe-listen-error.ts'
import { requireFolder } from '#process/require-folder.ts'
import { startProcess, stopProcess } from '#test/service.ts'
import { testApp } from '#test/test-app.ts'
import { testDb } from '#test/test-db.ts'

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

test('a file of authorities that is none ends the start, and that of doctor, with one sentence', () => {
  const file = path.join(folder, 'file')
  for (const word of ['worker', 'doctor']) {
    const { stderr, status } = spawnSync(process.execPath, [main, word], {
      encoding: 'utf8',
      env: { ...process.env, RUNWRIGHT_DATA_DIR: path.join(folder, 'trusting'), RUNWRIGHT_CA_FILE: file },
    })
    assert.equal(status, 1)
    assert.match(stderr, /^RUNWRIGHT_CA_FILE: the file \S+file holds no certificate in PEM form .*\n$/)
  }
})

const demo = path.resolve(import.meta.dirname, '../../../bin/demo.ts')
const startDemo = (env: Record<string, string>) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', demo, '--exit'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

test('a demo whose folder cannot be written, or whose port is taken, says in one sentence what to type', async () => {
  const closed = startDemo({ PORT: '0', RUNWRIGHT_DATA_DIR: path.join(folder, 'file') })
  assert.equal(closed.status, 1)
  assert.match(
    closed.stderr,
    /^The data folder \S+ is not writable \(ENOTDIR\)\. .* RUNWRIGHT_DATA_DIR=\S+ npm run demo\n$/,
  )
  const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const taken = startDemo({ PORT: String(port), RUNWRIGHT_DATA_DIR: path.join(folder, 'demo') })
  other.close()
  assert.equal(taken.status, 1)
  assert.equal(taken.stderr, `Port ${port} is in use. Choose another one: PORT=${port + 1} npm run demo\n`)
})

test('the first token is shown once, in a frame, and it is good', async () => {
  const db = await testDb()
  const print = async () => {
    const env = { DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: path.join(folder, 'first') }
    const { child, ready } = startProcess('api', { env, onSaid: () => {} })
    after(() => stopProcess(child))
    let printed = ''
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    const url = / at (http\S+),/.exec(await ready)?.[1] ?? ''
    return { url, printed }
  }
  const first = await print()
  const [, rule = '', line = '', token = ''] =
    /^\n(─+)\n(The first user's token, shown this once: (rw_\w+))\n\1\n\n/.exec(first.printed) ?? []
  assert.equal(rule.length, line.length, first.printed)
  const answer = await fetch(`${first.url}/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(answer.status, 200)
  assert.doesNotMatch((await print()).printed, /token|─/)
})

test('a port that is taken is named, with what to type, and whether it is another Runwright', async () => {
  const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const report = await describeListenError(inUse, { port, host: '127.0.0.1' })
  assert.equal(report.message, `Port ${port} is in use. Choose another one: PORT=${port + 1} npm start`)
  other.close()
  const { url } = await testApp()
  const place = { port: Number(new URL(url).port), host: '127.0.0.1' }
  assert.match((await describeListenError(inUse, place)).message, /used by another Runwright, such as npm run demo/)
})
