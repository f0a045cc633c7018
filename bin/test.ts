// Runs the tests: starts the embedded PostgreSQL in a folder of its own, migrates a template that each test file
// clones, runs node's test runner over what is named (or everything quick; `all` adds the slow ones), and stops it.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'
import { startEmbedded } from '../server/src/db/embedded.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { openPool } from '../server/src/db/pool.ts'
import { serviceRole } from '../server/src/db/prepare-roles.ts'
import { bundleService } from '../server/test/bundle-service.ts'
import { filesOfCommit, inTurn } from '../server/test/cases-of-commit.ts'

process.chdir(path.dirname(import.meta.dirname))
const words = process.argv.slice(2)
const quick = ['server/**/*.test.ts', 'cli/**/*.test.ts', 'sdk/**/*.test.ts', 'web/**/*.test.ts', 'bin/**/*.test.ts']
const slow = ['server/**/*.slow.ts', 'web/**/*.slow.ts', 'bin/**/*.slow.ts']
const named = words.filter((word) => word !== 'all')
// More than this is no accident.
const unstableMax = 5
// It ends what hangs, not what waits for its turn on a machine that others keep busy.
const testMsMax = 300_000
const patterns = named.length ? named : words.includes('all') ? slow : quick
const found = patterns
  .flatMap((pattern) => globSync(pattern, { exclude: ['**/node_modules/**', '**/programs/**'] }))
  .sort()
const files = (patterns === slow ? filesOfCommit(found) : found)
  // Browsers and stories take longest, and come last in the alphabet: begun first, they are not waited for alone.
  .reverse()
const secondsFile = path.resolve('node_modules/.cache/runwright-test-seconds.json')
const seconds = readSeconds()
// When tests stop to begin, in seconds since 1970, for a machine on which they would take longer than there is time.
const mayRunOut = process.env.RUNWRIGHT_TEST_UNTIL !== undefined
order()
if (files.length < found.length)
  console.log(`${files.length} of ${found.length} files, by the commit's turn; RUNWRIGHT_TEST_ALL=1 runs all.\n`)
if (!files.length) {
  console.error(`No test file matches ${patterns.join(' ')}.`)
  process.exit(1)
}

const memory = findMemory()
// Whatever a test makes lies in it and goes with it. Its name is short because the paths of sockets are, and other users,
// whom sandboxes run as, write there too. Slow tests fill disks, which in memory would be memory.
const isSlow = files.some((file) => file.endsWith('.slow.ts'))
const folder = mkdtempSync(path.join((!isSlow && memory) || os.tmpdir(), 'rw-'))
chmodSync(folder, 0o1777)
const cluster = mkdtempSync(path.join(memory ?? os.tmpdir(), 'rw-'))
const postgres = process.env.RUNWRIGHT_TEST_DATABASE_URL ? undefined : await startEmbedded(cluster)
const url = process.env.RUNWRIGHT_TEST_DATABASE_URL ?? postgres!.url
if (postgres) removeWhenOver()
if (postgres) await allowTests(postgres.administratorUrl)
const pool = openPool(url, { connectionsMax: 1 })
await migrate(pool)
await pool.end()

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
Object.assign(process.env, {
  TMPDIR: folder,
  RUNWRIGHT_TEST_DATABASE_URL: url,
  RUNWRIGHT_TEST_ADMINISTRATOR_URL: postgres?.administratorUrl ?? url,
  // Whoever runs a few by name may have a mistake to find, which is easier where lines are those of the sources.
  RUNWRIGHT_TEST_MAIN: named.length ? path.resolve('server/src/main.ts') : await bundleService(),
  RUNWRIGHT_TEST_LEFT_OUT: path.join(folder, 'left-out'),
})
const taken = new Map<string, number>()
const slowestShown = 10
// Stories wait more than they compute.
const failed = await runFiles(files, os.availableParallelism() + 1)
// What fails among thousands on a busy machine may be the machine or a fault that shows once in many times. The second
// run, alone, tells them from what is broken; it hides nothing, as what failed once is named at the end.
const mayBeUnstable = failed.length > 0 && failed.length <= unstableMax && !stop.signal.aborted
if (mayBeUnstable) console.log(`\nOnce more, alone: ${failed.join(', ')}\n`)
delete process.env.RUNWRIGHT_TEST_UNTIL
const broken = mayBeUnstable ? await runFiles(failed, 1) : failed
const unstable = failed.filter((file) => !broken.includes(file))
for (const [file, duration] of taken) seconds.set(file, duration)
writeFileSync(secondsFile, JSON.stringify([...seconds]))
const slowest = [...taken].sort(([, one], [, other]) => other - one).slice(0, slowestShown)
console.log(`\nSlowest files: ${slowest.map(([file, duration]) => `${file} ${duration.toFixed(0)} s`).join(', ')}`)
const late = listLeftOut()
if (late.length) console.log(`\nLeft out, as there was no time (${late.length} files): ${late.join(', ')}`)
if (unstable.length) console.log(`\nUnstable (failed, then passed alone; find out why): ${unstable.join(', ')}`)
// At once and whoever is still connected: what it holds goes away with its folder.
await postgres?.stop('immediate')
for (const place of [cluster, folder]) await removeTree(place).catch((error: Error) => console.error(error.message))
process.exit(broken.length || stop.signal.aborted ? 1 : 0)

/**
 * Where files lie in memory. Clones of the template and repositories of tests are thousands of small files, which a disk's file
 * system takes ten times as long to make. Undefined where there is no such place, or it has no room or runs no programs, as in
 * many containers.
 */
function findMemory(): string | undefined {
  const [memory, bytesMin] = ['/dev/shm', 6 * 1024 ** 3]
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < bytesMin || process.availableMemory() < bytesMin) return undefined
    const place = mkdtempSync(path.join(memory, 'rw-'))
    const program = path.join(place, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    const { status } = spawnSync(program)
    rmSync(place, { recursive: true })
    return status === 0 ? memory : undefined
  } catch {
    return undefined
  }
}

/** How long each file took when it last ran here. */
function readSeconds(): Map<string, number> {
  mkdirSync(path.dirname(secondsFile), { recursive: true })
  try {
    return new Map(JSON.parse(readFileSync(secondsFile, 'utf8')) as [string, number][])
  } catch {
    return new Map()
  }
}

/** However this process ends, neither PostgreSQL nor processes and files of the tests stay behind. */
function removeWhenOver(): void {
  const program = `cat > /dev/null
kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")"
for place in $(grep -lsaF "$0" /proc/[0-9]*/environ /proc/[0-9]*/cmdline); do
  pid=\${place#/proc/}
  pid=\${pid%/*}
  [ "$pid" = "$$" ] || kill -KILL "$pid"
done
sleep 1
rm -rf "$0" "$1"`
  // Its input ends with this process. Of a session of its own, as a signal to the group of this one is not for it.
  const guard = spawn('sh', ['-c', program, folder, cluster], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  guard.unref()
}

/** Runs the files, this many at once, and resolves with those that failed. */
async function runFiles(files: string[], concurrency: number): Promise<string[]> {
  const passed = new Set<string>()
  const execArgv = [`--import=${new URL('end-late-file.mjs', import.meta.url).href}`]
  const results = run({ files, concurrency, execArgv, timeout: testMsMax, signal: stop.signal })
  let isGood = false
  results.on('test:summary', ({ file, success, duration_ms }) => {
    // The last one, of no file, is that of all.
    if (file === undefined) {
      isGood = success
      return
    }
    const name = path.relative('.', file)
    taken.set(name, duration_ms / 1000)
    if (success) passed.add(name)
  })
  const report = results.compose(spec)
  report.pipe(process.stdout, { end: false })
  await finished(report)
  const late = listLeftOut()
  return isGood ? [] : files.filter((file) => !passed.has(file) && !late.includes(file))
}

/** What took longest before, or has never run, comes first; where time may run out, what takes long comes last, by turns. */
function order(): void {
  if (mayRunOut) {
    const isLong = (file: string) => /^(?:web\/e2e|server\/test\/stories)\//.test(file)
    const all = files.splice(0)
    files.push(...all.filter((file) => !isLong(file)), ...inTurn(all.filter(isLong)))
  } else files.sort((one, other) => (seconds.get(other) ?? 1e9) - (seconds.get(one) ?? 1e9))
}

/** Files that came too late to begin. */
function listLeftOut(): string[] {
  try {
    return readFileSync(path.join(folder, 'left-out'), 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/**
 * Tests are the service, with its rights and no more; besides, they make databases and fill tables past their rules. What
 * they write need not outlive the machine: only PostgreSQL itself would, and tests that kill one start their own.
 */
async function allowTests(administratorUrl: string): Promise<void> {
  const administrator = openPool(administratorUrl, { connectionsMax: 1 })
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await administrator.query(`alter system set ${setting} = off`)
  await administrator.query('select pg_reload_conf()')
  await administrator.query(
    `alter role ${serviceRole} createdb; grant set on parameter session_replication_role to ${serviceRole}`,
  )
  await administrator.end()
}
