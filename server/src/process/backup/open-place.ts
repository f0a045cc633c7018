import path from 'node:path'
import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import { openBlobs } from '#app/open-blobs.ts'
import { startDatabase } from '#app/start-database.ts'
import { systemClock } from '#base/clock.ts'
import type { Config } from '#base/config/config.ts'
import { openLogger } from '#base/logger.ts'
import { destination } from 'pino'

/** Where the service keeps what a backup holds. Opening it changes nothing there. */
export type Place = { databaseUrl: string; git: string; blobs: BlobStore }

export async function openPlace(config: Config): Promise<Place & AsyncDisposable> {
  const logger = openLogger({ level: config.logLevel, destination: destination(2) })
  const { databaseUrl, embedded } = await startDatabase(config, logger)
  return {
    databaseUrl,
    git: path.resolve(config.gitDir ?? path.join(config.dataDir, 'git')),
    blobs: openBlobs(config, systemClock),
    [Symbol.asyncDispose]: async () => embedded?.stop(),
  }
}
