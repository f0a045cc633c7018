import type pg from 'pg'
import { DatabaseClient } from '#db/database-client.ts'
import { BackupError } from './backup-error.ts'
import { copySettings } from './list-tables.ts'

/** One session of its own, which may take its time. `onLost`: told when it ends by itself. */
export async function openSession(
  databaseUrl: string,
  { onLost = () => {} }: { onLost?: (error: Error) => void } = {},
): Promise<pg.Client & AsyncDisposable> {
  const client = new DatabaseClient({
    connectionString: databaseUrl,
    application_name: 'runwright backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  let isLeft = false
  client.on('error', (error) => !isLeft && onLost(error))
  client.on('end', () => !isLeft && onLost(new Error('the connection has ended')))
  await client.connect().catch((error: Error) => {
    throw new BackupError(`PostgreSQL cannot be reached: ${error.message}. Start it, or fix DATABASE_URL.`, {
      cause: error,
    })
  })
  await client.query(copySettings)
  return Object.assign(client, {
    [Symbol.asyncDispose]: async () => {
      isLeft = true
      await client.end().catch(() => {})
    },
  })
}
