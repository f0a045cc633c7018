import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '../server/test/list-processes.ts'

test('tests that are killed leave neither processes nor files behind', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'killed-'))
  // PostgreSQL runs as another user where the tests are root's.
  chmodSync(folder, 0o711)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'waits.test.ts')
  const begun = path.join(folder, 'begun')
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'
     import { test } from 'node:test'
     test('waits', async () => {
       writeFileSync(${JSON.stringify(begun)}, process.env.TMPDIR)
       await new Promise((resolve) => setTimeout(resolve, 600_000))
     })`,
  )
  // Of the tests that this one is part of it knows nothing.
  const {
    RUNWRIGHT_TEST_DATABASE_URL: _,
    RUNWRIGHT_TEST_UNTIL: _until,
    NODE_TEST_CONTEXT: _context,
    ...env
  } = process.env
  const tests = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/test.ts', file], {
    env: { ...env, TMPDIR: folder },
    stdio: 'ignore',
  })
  t.after(() => tests.kill('SIGKILL'))
  while (!existsSync(begun) || !readFileSync(begun, 'utf8')) await sleep(50)
  const files = readFileSync(begun, 'utf8')
  const postgres = listProcesses().find(({ parent, words }) => parent === tests.pid && words[0]?.endsWith('/postgres'))
  assert.ok(postgres)
  // They lie in memory where there is room.
  const cluster = path.dirname(postgres.words[postgres.words.indexOf('-D') + 1]!)
  const isMine = (word: string) => [folder, files, cluster].some((place) => word.startsWith(place))
  const mine = () => listProcesses().filter(({ words }) => words.some(isMine))
  tests.kill('SIGKILL')
  const left = () => existsSync(cluster) || existsSync(files)
  while (left() || mine().length) await sleep(50)
})
