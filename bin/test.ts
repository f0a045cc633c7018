// Runs the tests: starts the embedded PostgreSQL in a folder of its own, migrates a template that each test file
// clones, runs node's test runner over what is named (or everything quick; `all` adds the slow ones), and stops it.
import { spawn } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'
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
  // Browsers and stories take longest, and come last in the alphabet: begun first, they are not waited for alone.
  .reverse()
if (!files.length) {
  console.error(`No test file matches ${patterns.join(' ')}.`)
  process.exit(1)
}

// Whatever a test makes lies in it and goes with it. Its name is short because the paths of sockets are, and other users,
// whom sandboxes run as, write there too.
const folder = mkdtempSync(path.join(os.tmpdir(), 'rw-'))
chmodSync(folder, 0o1777)
const postgres = process.env.RUNWRIGHT_TEST_DATABASE_URL
  ? undefined
  : await startEmbedded(path.join(folder, 'postgres'))
const url = process.env.RUNWRIGHT_TEST_DATABASE_URL ?? postgres!.url
const pool = openPool(url, { connectionsMax: 1 })
await migrate(pool)
await pool.end()

// Stories wait more than they compute.
const concurrency = os.availableParallelism() + 1
const flags = ['--test', '--test-reporter=spec', `--test-concurrency=${concurrency}`, '--test-timeout=120000']
const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...flags, ...files], {
  stdio: 'inherit',
  env: { ...process.env, TMPDIR: folder, RUNWRIGHT_TEST_DATABASE_URL: url },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
const exitCode = await new Promise<number>((resolve) => runner.on('exit', (code) => resolve(code ?? 1)))
await postgres?.stop()
await removeTree(folder).catch((error: Error) => console.error(error.message))
process.exit(exitCode)
