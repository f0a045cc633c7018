import { existsSync } from 'node:fs'
import path from 'node:path'
import { destination } from 'pino'
import type pg from 'pg'
import { startDatabase } from '#app/start-database.ts'
import type { Config } from '#base/config/config.ts'
import { openLogger } from '#base/logger.ts'
import { openPool } from '#db/pool.ts'

/** `pool` throws where there is no database; a database that is away rejects what is asked of it. */
export type SupportDatabase = { url: string; pool: () => pg.Pool } & AsyncDisposable

/** The database of the service as it is: none is made, and nothing is brought to another schema. */
export async function openDatabase(config: Config): Promise<SupportDatabase> {
  const unknown = config.databaseUrl?.reveal() ?? 'postgresql://localhost'
  const none = (problem: string): SupportDatabase => ({
    url: unknown,
    pool: () => {
      throw new Error(problem)
    },
    [Symbol.asyncDispose]: async () => {},
  })
  if (!config.databaseUrl && !existsSync(path.join(config.dataDir, 'postgres')))
    return none(`There is no database yet in ${config.dataDir}. RUNWRIGHT_DATA_DIR says where it is.`)
  try {
    const logger = openLogger({ level: config.logLevel, destination: destination(2) })
    const { databaseUrl, embedded } = await startDatabase(config, logger)
    const pool = openPool(databaseUrl, { connectionsMax: 2, name: 'runwright support' })
    return {
      url: databaseUrl,
      pool: () => pool,
      [Symbol.asyncDispose]: async () => {
        await pool.end()
        await embedded?.stop()
      },
    }
  } catch (error) {
    return none(`PostgreSQL did not start: ${(error as Error).message}`)
  }
}
