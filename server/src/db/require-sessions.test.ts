import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPort } from '#process/find-port.ts'
import { testDb } from '#test/test-db.ts'
import { openPool } from './pool.ts'
import { requireSessions } from './require-sessions.ts'

const db = await testDb()
const program = '/usr/sbin/pgbouncer'
const skip = existsSync(program) ? false : `there is no ${program} here`
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-pooler-'))
chmodSync(folder, 0o755)
after(() => rm(folder, { recursive: true, force: true }))

/** A real PgBouncer before the database; it refuses to run as root. */
async function startPooler(mode: 'session' | 'transaction', more: string[] = []): Promise<string> {
  const { hostname, port, pathname, username, password } = new URL(db.url)
  const name = pathname.slice(1)
  const ours = await findPort('127.0.0.1')
  const file = path.join(folder, `${ours}.ini`)
  const users = path.join(folder, 'users')
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  const settings = [
    '[databases]',
    `${name} = host=${hostname} port=${port} dbname=${name}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ours}`,
    'unix_socket_dir =',
    `pool_mode = ${mode}`,
    'auth_type = trust',
    `auth_file = ${users}`,
    ...more,
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  const isRoot = process.getuid?.() === 0
  const words = [...(isRoot ? ['setpriv', '--reuid=nobody', '--clear-groups'] : ['env']), program, '-q', file]
  const child = spawn(words[0]!, words.slice(1), { stdio: 'ignore' })
  after(() => child.kill('SIGKILL'))
  while (!(await isListening(ours))) await sleep(20)
  const url = new URL(db.url)
  url.hostname = '127.0.0.1'
  url.port = String(ours)
  return url.href
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function look(url: string): Promise<void> {
  const pool = openPool(url, { connectionsMax: 2 })
  try {
    await requireSessions(pool)
  } finally {
    await pool.end()
  }
}

const parameters = 'statement_timeout,idle_in_transaction_session_timeout,extra_float_digits'

test('PostgreSQL itself gives each connection a session', async () => {
  await look(db.url)
})

test('a pooler that shares sessions is refused at the start', { skip }, async () => {
  const url = await startPooler('transaction', [`ignore_startup_parameters = ${parameters}`])
  await assert.rejects(look(url), /Connections to the database share sessions.*pool_mode = session/)
})

test('one that gives each connection a session is not', { skip }, async () => {
  await look(await startPooler('session', [`ignore_startup_parameters = ${parameters}`]))
})

test('one that does not know our timeouts is told of', { skip }, async () => {
  await assert.rejects(look(await startPooler('session')), /ignore_startup_parameters/)
})
