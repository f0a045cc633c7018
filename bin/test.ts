// Runs the tests: starts the embedded PostgreSQL in a folder of its own, migrates a template that each test file
// clones, runs node's test runner over what is named (or everything quick; `all` adds the slow ones), and stops it.
import { spawn } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbedded } from '../server/src/db/embedded.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { openPool } from '../server/src/db/pool.ts'

process.chdir(path.dirname(import.meta.dirname))
const wanted = process.argv.slice(2)
const quick = ['server/**/*.test.ts', 'cli/**/*.test.ts', 'sdk/**/*.test.ts', 'web/**/*.test.ts', 'bin/**/*.test.ts']
const slow = ['server/**/*.slow.ts', 'web/**/*.slow.ts']
const named = wanted.filter((word) => word !== 'all')
const patterns = named.length ? named : wanted.includes('all') ? slow : quick
const files = patterns
  .flatMap((pattern) => globSync(pattern, { exclude: ['**/node_modules/**', '**/programs/**'] }))
  .sort()
if (!files.length) {
  console.error(`No test file matches ${patterns.join(' ')}.`)
  process.exit(1)
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-test-'))
chmodSync(folder, 0o711)
const postgres = process.env.RUNWRIGHT_TEST_DATABASE_URL
  ? undefined
  : await startEmbedded(path.join(folder, 'postgres'))
const url = process.env.RUNWRIGHT_TEST_DATABASE_URL ?? postgres!.url
const pool = openPool(url, { connectionsMax: 1 })
await migrate(pool)
await pool.end()

const flags = ['--test', '--test-reporter=spec', '--test-concurrency=2', '--test-timeout=120000']
const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...flags, ...files], {
  stdio: 'inherit',
  env: { ...process.env, RUNWRIGHT_TEST_DATABASE_URL: url },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
const exitCode = await new Promise<number>((resolve) => runner.on('exit', (code) => resolve(code ?? 1)))
await postgres?.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(exitCode)
