import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster } from './cluster.ts'

/** A server that runs, whoever started it. */
export type Server = { pid: number; port: number }

const lookMs = 50
const answerMs = 2_000

/** The server that runs over these data, as soon as it takes connections. Undefined when none runs; waits while one starts or ends. */
export async function findServer(cluster: Cluster, signal: AbortSignal): Promise<Server | undefined> {
  for (;;) {
    const named = readPidFile(cluster.data)
    if (!named || !isServerOf(named.pid, cluster.data) || signal.aborted) return undefined
    if (named.port && (await answers(cluster, named.port))) return { pid: named.pid, port: named.port }
    await sleep(lookMs)
  }
}

/** Who PostgreSQL says works with these data: our server, nobody any more, or, after a restart of the machine, somebody else. */
export function readPidFile(data: string): Server | undefined {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0) }
  } catch {
    return undefined
  }
}

/** Whether this process lives and is a server over these data. One that has ended and was not yet waited for is none. */
export function isServerOf(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return false
  }
}

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a server over these data takes connections at this port. */
export async function answers(cluster: Cluster, port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urlOf(cluster, port, 'postgres'),
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    application_name: 'runwright probe',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return rows[0]?.data_directory === cluster.data
  } catch {
    return false
  } finally {
    void client.end().catch(() => {})
  }
}

export const urlOf = ({ password }: Pick<Cluster, 'password'>, port: number, database = 'runwright') =>
  `postgres://runwright:${password}@127.0.0.1:${port}/${database}`
