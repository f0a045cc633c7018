import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { answers, type Server } from './find-server.ts'

/** Why a server did not start: what will pass by itself, or by what its starter does about it, and what will not. */
export type Refusal = 'running' | 'orphans' | 'port' | 'aborted' | 'other'
export type Started = { server: Server } | { refusal: Refusal; reason: string }

const startMsMax = 120_000
const lookMs = 15
const logBytesMax = 8 * 2 ** 20

/**
 * Starts PostgreSQL, in a session of its own, so that no signal to ours reaches it. Of several processes that start it
 * at once, its own lock on the data lets one in.
 */
export async function startServer(cluster: Cluster, port: number, signal: AbortSignal): Promise<Started> {
  keepLogShort(cluster.logFile)
  const log = fs.openSync(cluster.logFile, 'a', 0o600)
  const begin = fs.fstatSync(log).size
  const child = spawnServer(cluster, port, log)
  fs.closeSync(log)
  const ended = once(child, 'exit')
  let failure: string | undefined
  child.on('error', (error) => (failure = error.message))
  ended.then(
    ([code, by]) => (failure ??= `it ended with ${by ?? code}`),
    () => {},
  )
  const until = Date.now() + startMsMax
  while (!(await answers(cluster, port))) {
    if (!failure && Date.now() > until) failure = 'no answer'
    if (!failure && signal.aborted) failure = 'it was told to end'
    if (failure) {
      await end(child)
      const words = wordsSince(cluster.logFile, begin)
      return {
        refusal: signal.aborted ? 'aborted' : refusalOf(words),
        reason: `PostgreSQL did not start in ${cluster.data}: ${failure}. Its last words:\n${words.slice(-1_500)}`,
      }
    }
    await sleep(lookMs)
  }
  child.unref()
  fs.writeFileSync(cluster.portFile, `${port}\n`)
  return { server: { pid: child.pid as number, port } }
}

/** The port of last time: a process that lost its database finds it again there. */
export async function lastPort({ portFile }: Pick<Cluster, 'portFile'>): Promise<number> {
  return (fs.existsSync(portFile) && Number(fs.readFileSync(portFile, 'utf8'))) || freePort()
}

export async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function spawnServer({ binaries, data, home, owner }: Cluster, port: number, log: number): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    idle_in_transaction_session_timeout: '15s',
    // A backend whose client has vanished ends its statement, not only the next one.
    client_connection_check_interval: process.platform === 'linux' ? '2s' : 0,
    tcp_keepalives_idle: 5,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 3,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(`${binaries}/postgres`, ['-D', data, '-p', String(port), ...flags], {
    ...owner,
    cwd: home,
    detached: true,
    stdio: ['ignore', log, log],
  })
}

/** What began to start and is not wanted any more leaves nothing behind. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGQUIT')
  await Promise.race([ended, sleep(10_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))])
}

function refusalOf(words: string): Refusal {
  if (/lock file "postmaster.pid" (?:already exists|is empty)/.test(words)) return 'running'
  if (/shared memory block .{0,200} is still in use/.test(words)) return 'orphans'
  if (/could not bind|Address already in use/.test(words)) return 'port'
  return 'other'
}

function wordsSince(file: string, begin: number): string {
  return fs.readFileSync(file).subarray(begin).toString()
}

/** A server that is killed and started all the time must not fill the disk with what it says. */
function keepLogShort(file: string): void {
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) fs.renameSync(file, `${file}.1`)
}
