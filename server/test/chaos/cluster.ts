import { chmodSync, mkdirSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import type { Journal } from './journal.ts'
import { startPostgres, type Postgres } from './postgres.ts'
import { ServiceProcess } from './service-process.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/**
 * The service as it is run on several machines: API processes, workers, one PostgreSQL. Each machine has a data folder
 * of its own; repositories and blobs lie in a folder that all share.
 */
export type Cluster = {
  postgres: Postgres
  apis: ServiceProcess[]
  workers: ServiceProcess[]
  /** Machines of remote workers, and what stands between them and the workers that take them; without any, those run sandboxes themselves. */
  machines: ServiceProcess[]
  machinesProxy: TcpProxy | null
  /** What clients connect to, one before each API. */
  proxies: TcpProxy[]
  /** Where clients reach the APIs, in the order of `apis`. */
  addresses: string[]
  token: string
  folder: string
}

export type StartCluster = {
  folder: string
  workers: number
  /** How many remote workers. */
  remote: number
  env: Record<string, string>
  journal: Journal
  onLine: (name: string, line: string) => void
}

const apis = 2
const workerToken = 'what-remote-workers-show-in-the-chaos-suite'
const token = `admin-token-of-the-chaos-suite-${'0'.repeat(10)}`

/** Starts all of it; the stack ends it, also when this rejects half way. */
export async function startCluster(
  stack: AsyncDisposableStack,
  { folder, workers, remote, env, journal, onLine }: StartCluster,
): Promise<Cluster> {
  const wordsFolder = makeFolder(path.join(folder, 'words'))
  const shared = makeFolder(path.join(folder, 'shared'))
  const postgres = stack.use(await startPostgres(path.join(folder, 'postgres')))
  const start = async (name: string, role: 'api' | 'worker', more: Record<string, string>) => {
    const all = {
      RUNWRIGHT_ADMIN_TOKEN: token,
      RUNWRIGHT_SECRET_KEY: 's'.repeat(40),
      RUNWRIGHT_GIT_DIR: path.join(shared, 'git'),
      RUNWRIGHT_BLOBS: path.join(shared, 'blobs'),
      ...env,
      ...more,
    }
    const { url: databaseUrl } = postgres
    return stack.use(await ServiceProcess.start({ name, role, env: all, wordsFolder, databaseUrl, journal, onLine }))
  }
  const cluster: Cluster = {
    postgres,
    apis: [],
    workers: [],
    machines: [],
    machinesProxy: null,
    proxies: [],
    addresses: [],
    token,
    folder,
  }
  for (let n = 1; n <= apis; n++) {
    const port = await freePort()
    const proxy = stack.use(await startTcpProxy({ targetPorts: [port] }))
    cluster.proxies.push(proxy)
    cluster.addresses.push(`http://127.0.0.1:${proxy.port}`)
    cluster.apis.push(await start(`api-${n}`, 'api', { PORT: String(port), RUNWRIGHT_DATA_DIR: shared }))
  }
  const acceptPorts: number[] = []
  for (let n = 1; n <= workers; n++) {
    // The last worker is alone on its machine.
    const machine = makeFolder(path.join(folder, n === workers ? 'machine-b' : 'machine-a'))
    const port = remote > 0 ? await freePort() : null
    if (port) acceptPorts.push(port)
    const accepts = port ? acceptingAt(port) : {}
    cluster.workers.push(await start(`worker-${n}`, 'worker', { RUNWRIGHT_DATA_DIR: machine, ...accepts }))
  }
  if (remote === 0) return cluster
  const machinesProxy = stack.use(await startTcpProxy({ targetPorts: acceptPorts }))
  const machines = Array.from({ length: remote }, async (_, index) => {
    const name = `remote-${index + 1}`
    const settings = {
      RUNWRIGHT_DATA_DIR: makeFolder(path.join(folder, name)),
      RUNWRIGHT_SERVICE_URL: `http://127.0.0.1:${machinesProxy.port}`,
      RUNWRIGHT_WORKER_TOKEN: workerToken,
      RUNWRIGHT_WORKER_SLOTS: env['RUNWRIGHT_WORKER_SLOTS'] ?? '8',
    }
    const rest = { role: 'remote-worker', databaseUrl: null, wordsFolder, journal, onLine } as const
    return stack.use(await ServiceProcess.start({ name, env: settings, ...rest }))
  })
  return { ...cluster, machinesProxy, machines: await Promise.all(machines) }
}

/** For a worker that takes remote ones, and no runs itself. */
const acceptingAt = (port: number) => ({
  RUNWRIGHT_WORKER_SLOTS: '0',
  RUNWRIGHT_REMOTE_WORKERS: `${port}`,
  RUNWRIGHT_WORKER_TOKEN: workerToken,
})

function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
  return folder
}

async function freePort(): Promise<number> {
  const probe = net.createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as net.AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
