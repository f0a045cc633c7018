import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { destination } from 'pino'
import { openSandboxes } from '#app/open-sandboxes.ts'
import type { Config } from '#base/config/config.ts'
import { openLogger } from '#base/logger.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { openTemporaryFolder } from '#base/temporary-folder.ts'
import { requireService } from './dial-service.ts'

/** What a process on the machine of a remote worker has: its folders and sandboxes, and the address of the service. */
export function openMachine(config: Config, { role }: { role: string }) {
  const address = requireService(config)
  const logger = openLogger({ level: config.logLevel, role, destination: destination(2) })
  // What the service sends is for the user of sandboxes to read.
  process.umask(0o022)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
  return {
    address,
    logger,
    sandboxes: openSandboxes(config, { logger, metrics: openMetrics() }),
    temporaryFolder: openTemporaryFolder(path.join(config.dataDir, 'temporary')),
  }
}
