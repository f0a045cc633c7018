import path from 'node:path'
import pg from 'pg'
import type { Logger } from '#base/logger.ts'
import { withPortFile } from './address.ts'
import { bringUp } from './embedded/bring-up.ts'
import { prepareCluster } from './embedded/cluster.ts'
import { urlOf } from './embedded/find-server.ts'
import { keepServer } from './embedded/keep-server.ts'
import { dataOf, signalServer, stopServer, type How } from './embedded/stop-server.ts'
import { addUser, hasUsers, removeUser } from './embedded/users.ts'
import { prepareRoles, serviceRole } from './prepare-roles.ts'

/**
 * The embedded database: a real PostgreSQL from npm's binary packages, on loopback, in one folder. Started by our own
 * launcher, because a server that outlived a killed process must be adopted, not started a second time. All processes
 * that use it watch it, and one of them starts it again when it ends.
 */
export type EmbeddedPostgres = {
  /** As the service's own login, which is no superuser. */
  url: string
  /** As the superuser; for tests and for whoever repairs a cluster by hand. */
  administratorUrl: string
  /** Of the server that runs, or of the last one. */
  readonly pid: number
  adopted: boolean
  /** Leaves it. It ends when nobody else uses it; `immediate` ends it whoever does. */
  stop(how?: How): Promise<void>
}

const startMsMax = 120_000
/** Any number; this lock is one of the database `postgres`, where nobody else takes any. */
const lockId = 727_001

/** Starts PostgreSQL in `folder`, or adopts the one that already runs there. Rejects with what PostgreSQL said. */
export async function startEmbedded(folder: string, { logger }: { logger?: Logger } = {}): Promise<EmbeddedPostgres> {
  const cluster = prepareCluster(folder)
  const user = addUser(cluster.home)
  // However this process ends, unless it is killed: what nobody uses does not stay behind.
  const leaveAtOnce = () => {
    removeUser(user)
    if (!hasUsers(cluster.home)) signalServer(cluster.data, 'SIGINT')
  }
  process.once('exit', leaveAtOnce)
  const stopUnlessUsed = async (how: How) => {
    process.off('exit', leaveAtOnce)
    removeUser(user)
    if (how === 'immediate' || !hasUsers(cluster.home)) await stopServer(cluster.data, how)
  }
  try {
    const first = await bringUp(cluster, AbortSignal.timeout(startMsMax))
    const administratorUrl = urlOf(cluster, first.server.port)
    await prepareDatabase(administratorUrl, cluster.servicePassword)
    const serviceUrl = Object.assign(new URL(administratorUrl), {
      username: serviceRole,
      password: cluster.servicePassword,
    }).href
    const kept = keepServer(cluster, { first, logger })
    return {
      url: withPortFile(serviceUrl, cluster.portFile),
      administratorUrl,
      get pid() {
        return kept.server().pid
      },
      adopted: first.isAdopted,
      stop: async (how = 'fast') => {
        await kept[Symbol.asyncDispose]()
        await stopUnlessUsed(how)
      },
    }
  } catch (error) {
    await stopUnlessUsed('fast')
    throw error
  }
}

/**
 * Ends the PostgreSQL in `folder` if it runs and no living process uses it: for who has started such processes and knows that
 * they have ended, however they did. May be called again, and where none runs, or none ever was.
 */
export async function stopEmbedded(folder: string): Promise<void> {
  const home = path.resolve(folder)
  if (!hasUsers(home)) await stopServer(dataOf(home), 'fast')
}

async function prepareDatabase(administratorUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: administratorUrl.replace(/\/runwright$/, '/postgres') })
  await client.connect()
  try {
    // Processes that start at once would each make it. The lock ends with the connection.
    await client.query('select pg_advisory_lock($1)', [lockId])
    const { rowCount } = await client.query("select from pg_database where datname = 'runwright'")
    if (!rowCount) await client.query('create database runwright')
    await prepareRoles({ administratorUrl, database: 'runwright', password })
  } finally {
    await client.end()
  }
}
