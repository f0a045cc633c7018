import type { App } from '#app/app.ts'
import { oneAtATime } from '#base/concurrency/one-at-a-time.ts'
import { archiveLogs } from '#domain/runs/logs/archive-logs.ts'

type ArchivingApp = Pick<App, 'pool' | 'blobs' | 'telemetry'>

/** Moves old logs to the blob store, for a while. The store may be slow, so nobody waits for it. */
export const beginArchiving = oneAtATime(async ({ pool, blobs, telemetry }: ArchivingApp) => {
  await telemetry.chores.do('log_archives', () => archiveLogs(pool, { blobs }))
})
