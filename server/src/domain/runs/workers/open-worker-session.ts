import type pg from 'pg'
import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import { DatabaseClient } from '#db/database-client.ts'
import { endConnection } from '#db/end-connection.ts'
import { heartbeatOptions, watchHeartbeat } from '#db/heartbeat.ts'
import { wakeChannel, type Wake } from '#domain/accounts/organizations/wake-workers.ts'

export type OpenWorkerSession = {
  databaseUrl: string
  onWake: (wake: Wake) => void
  /** The session is gone; the others know, and take the runs of all workers that it held. May be called more than once. */
  onLost: () => void
}
export type WorkerSession = AsyncDisposable & { db: Pick<pg.ClientBase, 'query'> }

/** Connects as one who can hold workers: their locks end with this session, so that the others see a crash at once. */
export async function openWorkerSession({ databaseUrl, onWake, onLost }: OpenWorkerSession): Promise<WorkerSession> {
  const client = new DatabaseClient({
    connectionString: databaseUrl,
    application_name: 'runwright worker',
    ...heartbeatOptions,
    keepAlive: true,
  })
  client.on('error', onLost)
  client.on('end', onLost)
  client.on('notification', (message) => onWake(JSON.parse(message.payload ?? '{}') as Wake))
  try {
    await client.connect()
    await client.query(`listen ${wakeChannel}`)
  } catch (error) {
    await endConnection(client)
    throw error
  }
  const { msSinceHeard, ...db } = oneByOne(client)
  // The renewals of the leases are signs of life, too.
  const heartbeat = watchHeartbeat(db, { onSilent: onLost, msSinceHeard })
  return {
    db,
    [Symbol.asyncDispose]: async () => {
      heartbeat[Symbol.dispose]()
      await endConnection(client)
    },
  }
}

/** Of statements that are given at once, each has the time of one. */
function oneByOne(client: pg.Client): WorkerSession['db'] & { msSinceHeard: () => number } {
  const inTurn = keyedMutex()
  let heardAt = performance.now()
  const query = (statement: string, values?: unknown[]) =>
    inTurn('', undefined, async () => {
      const answer = await client.query(statement, values)
      heardAt = performance.now()
      return answer
    })
  return { query: query as pg.ClientBase['query'], msSinceHeard: () => performance.now() - heardAt }
}
