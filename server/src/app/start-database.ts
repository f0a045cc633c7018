import path from 'node:path'
import type { Config } from '#base/config/config.ts'
import type { Logger } from '#base/logger.ts'
import { startEmbedded } from '#db/embedded.ts'

/** Where the database is; of our own, which is started, where the settings name none. */
export async function startDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>, logger: Logger) {
  const embedded = databaseUrl ? undefined : await startEmbedded(path.join(dataDir, 'postgres'), { logger })
  return { databaseUrl: databaseUrl?.reveal() ?? embedded?.url ?? '', embedded }
}
