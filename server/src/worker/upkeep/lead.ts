import type { App } from '#app/app.ts'
import { pause } from '#base/concurrency/pause.ts'
import { limits } from '#base/limits.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import { leadService, type Lead } from '#domain/runs/workers/lead-service.ts'
import { openChores } from './open-chores.ts'
import { sweep } from './sweep.ts'

/** Where no run waits or is worked on, the leading process looks half as often. */
const quietLookMs = 2 * limits.sweepMs

/**
 * Does what only one process of the service does, where this is the one: sweeps, and does the chores of the database. API
 * processes take part too, so that a stop is a stop where no worker is left.
 */
export function lead(app: App): AsyncDisposable {
  const { databaseUrl, pool, logger } = app
  return leadService({
    databaseUrl,
    pool,
    onLead: async (lead) => {
      logger.info({ event: 'lead_taken' }, 'this process leads: it sweeps and does the chores of the service')
      const own = { ...app, pool: lead.pool }
      // What ends one of them lets another process lead.
      await Promise.race([sweepAgainAndAgain(own, lead), doChoresAgainAndAgain(own, lead)])
    },
  })
}

/** What a look finds is done beside the next looks, however long it takes. */
async function sweepAgainAndAgain(app: App, { look, stop }: Lead): Promise<void> {
  let sweeping: Promise<void> | undefined
  while (!stop.aborted) {
    const { needsSweep, hasDueJobs, isQuiet } = await look()
    if (hasDueJobs) void wakeWorkers(app.pool, { jobs: true }).catch(() => {})
    if (needsSweep) sweeping ??= sweep(app).finally(() => (sweeping = undefined))
    await pause(isQuiet ? quietLookMs : limits.sweepMs, stop)
  }
}

async function doChoresAgainAndAgain(app: App, { stop }: Lead): Promise<void> {
  const doChores = openChores(app)
  while (!stop.aborted) {
    await doChores()
    await pause(limits.cleanMs, stop)
  }
}
