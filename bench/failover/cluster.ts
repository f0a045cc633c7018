// Three PostgreSQL servers under Debian's Patroni and etcd, with synchronous replication, as processes of this machine.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const binaries = '/usr/lib/postgresql/15/bin'
const needed = ['/usr/bin/patroni', '/usr/bin/etcd', `${binaries}/postgres`]
const password = 'a-password-of-the-drill'
const names = ['one', 'two', 'three']

type Member = { name: string; role: string; state: string; lag?: number }
type Node = { name: string; port: number; restPort: number; data: string }
export type Cluster = {
  /** With all hosts, as a login that owns the database and is no superuser. */
  databaseUrl: string
  /** One address for each server, for the same login. */
  serverUrls: string[]
  /** Resolves when one server leads, another one than was switched over or killed last, a second one is its synchronous standby, and all three run. */
  untilWhole(): Promise<void>
  /** Has another server lead, as an operator does. */
  switchOver(): Promise<void>
  /** Ends the leading server as a fault does. */
  killPrimary(): Promise<void>
}

/** A sentence where the drill cannot be run here. */
export function findLackOfCluster(): string | undefined {
  const missing = needed.filter((file) => !existsSync(file))
  if (missing.length)
    return `${missing.join(', ')}: not there. As root on Debian: apt-get install patroni etcd-server postgresql-15, then systemctl disable --now patroni etcd postgresql.`
  if (process.getuid?.() !== 0) return 'The drill starts PostgreSQL as the user "postgres", which needs root.'
  return undefined
}

export async function startCluster(folder: string, defer: (work: () => Promise<void>) => void): Promise<Cluster> {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
  const own = (file: string) => chownSync(file, uid!, gid!)
  mkdirSync(folder, { mode: 0o700 })
  own(folder)
  const start = (command: string, args: string[]): ChildProcess => {
    const child = spawn(command, args, {
      uid: uid!,
      gid: gid!,
      cwd: folder,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'] },
    })
    defer(() => stop(child))
    return child
  }
  const [etcdPort, peerPort, ...ports] = await freePorts(2 + 2 * names.length)
  const [etcdUrl, peerUrl] = [etcdPort, peerPort].map((port) => `http://127.0.0.1:${port}`)
  start('/usr/bin/etcd', [
    '--name=drill',
    `--data-dir=${path.join(folder, 'etcd')}`,
    `--initial-cluster=drill=${peerUrl}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
  ])
  const nodes = names.map((name, n) => ({
    name,
    port: ports[2 * n]!,
    restPort: ports[2 * n + 1]!,
    data: path.join(folder, name),
  }))
  for (const node of nodes) {
    const file = path.join(folder, `${node.name}.yml`)
    // Every YAML parser reads JSON.
    writeFileSync(file, JSON.stringify(settingsOf(node, { folder, etcdPort: etcdPort! })), { mode: 0o600 })
    own(file)
    start('/usr/bin/patroni', [file])
  }
  const cluster = clusterOf(nodes)
  await cluster.untilWhole()
  const login = (hosts: string) => `postgres://runwright:${password}@${hosts}/runwright`
  const primary = await leaderOf(nodes)
  const psql = (database: string, command: string) =>
    execFileSync(`${binaries}/psql`, [
      `postgres://postgres:${password}@127.0.0.1:${primary.port}/${database}`,
      '-qc',
      command,
    ])
  psql('postgres', `create role runwright login createrole password '${password}'`)
  psql('postgres', 'create database runwright owner runwright')
  return {
    ...cluster,
    databaseUrl: login(nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')),
    serverUrls: nodes.map(({ port }) => login(`127.0.0.1:${port}`)),
  }
}

function settingsOf({ name, port, restPort, data }: Node, { folder, etcdPort }: { folder: string; etcdPort: number }) {
  const login = (username: string) => ({ username, password })
  return {
    scope: 'drill',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 5,
        // A primary that has crashed is replaced at once, and not started again first.
        primary_start_timeout: 0,
        master_start_timeout: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        maximum_lag_on_failover: 1024 ** 2,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, wal_keep_size: '256MB', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: binaries,
      pgpass: path.join(folder, `${name}.pgpass`),
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
      authentication: { superuser: login('postgres'), replication: login('replicator'), rewind: login('postgres') },
    },
  }
}

function clusterOf(nodes: Node[]): Pick<Cluster, 'untilWhole' | 'switchOver' | 'killPrimary'> {
  let replaced: string | undefined
  return {
    untilWhole: () =>
      until('the cluster is whole', async () => {
        const members = await readMembers(nodes)
        const has = (role: string) => members.filter((member) => member.role === role).length === 1
        const runs = ({ state }: Member) => state === 'running' || state === 'streaming'
        const isReplaced = members.some(({ name, role }) => role === 'leader' && name !== replaced)
        return (
          isReplaced && members.length === nodes.length && members.every(runs) && has('leader') && has('sync_standby')
        )
      }),
    switchOver: async () => {
      const { name, restPort } = await leaderOf(nodes)
      replaced = name
      const answer = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: name }),
      })
      if (!answer.ok) throw new Error(`Patroni refused to switch over: ${answer.status} ${await answer.text()}`)
    },
    killPrimary: async () => {
      const { name, data } = await leaderOf(nodes)
      replaced = name
      process.kill(Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    },
  }
}

async function readMembers(nodes: Node[]): Promise<Member[]> {
  for (const { restPort } of nodes) {
    try {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
      return ((await answer.json()) as { members: Member[] }).members
    } catch {
      // The next one is asked.
    }
  }
  return []
}

async function leaderOf(nodes: Node[]): Promise<Node> {
  const leader = (await readMembers(nodes)).find(({ role }) => role === 'leader')
  const node = nodes.find(({ name }) => name === leader?.name)
  if (!node) throw new Error('No server leads.')
  return node
}

const waitMs = 120_000
async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + waitMs
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}.`)
    await sleep(250)
  }
}

/** Patroni stops its PostgreSQL when it is told to end. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
