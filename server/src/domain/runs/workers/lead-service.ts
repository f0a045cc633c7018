import { limits } from '#base/limits.ts'
import { leadSeatMs, openLead } from '#db/lead.ts'
import { openPool, type Db } from '#db/pool.ts'
import { needsSweep, type Swept } from './needs-sweep.ts'

/** What the leading process has to do with. */
export type Lead = {
  /** Connections of its own: however busy the process is otherwise, what it does for all waits for nothing of that. */
  pool: ReturnType<typeof openPool>
  /** Looks for what there is to sweep, on the session that leads; to be called about every `sweepMs`, as the session lives by it. */
  look: () => Promise<Swept>
  /** Aborted when another process may lead. */
  stop: AbortSignal
}

export type LeadService = {
  databaseUrl: string
  pool: Db
  /** Does what one process of the service does. Where it rejects, another one leads. */
  onLead: (lead: Lead) => Promise<void>
}

/** Takes part in leading the service, until it is disposed. */
export function leadService({ databaseUrl, pool, onLead }: LeadService): AsyncDisposable {
  return openLead({
    databaseUrl,
    pool,
    onLead: async (session, stop) => {
      const own = openPool(databaseUrl, { connectionsMax: 2, name: 'runwright leader' })
      // Before this process led, nobody may have looked for a while.
      let lookedAt = performance.now() - 2 * leadSeatMs
      const look = async () => {
        const begun = performance.now()
        const sinceMs = begun - lookedAt + limits.sweepMs
        // Nothing of it outlasts it in the session's transaction: neither locks of what it read, for which migrations would
        // wait, nor its snapshot.
        const [, swept] = await Promise.all([
          session.query('savepoint look'),
          needsSweep(session, { sinceMs }),
          session.query('rollback to savepoint look; release savepoint look'),
        ])
        lookedAt = begun
        return swept
      }
      const over = new AbortController()
      try {
        await onLead({ pool: own, look, stop: AbortSignal.any([stop, over.signal]) })
      } finally {
        over.abort()
        void own.end()
      }
    },
  })
}
