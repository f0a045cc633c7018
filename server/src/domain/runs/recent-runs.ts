import type pg from 'pg'
import { AppError } from '#base/errors.ts'
import { ByteCache } from '#base/byte-cache.ts'
import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { getRun } from './get-run.ts'
import { pullsOfRun, runTables, type Run, type RunIds } from './run.ts'

/**
 * Runs as they were read last. Nothing is ever told that a run has changed: what is remembered is good as long as the
 * run's version is the same, and that is asked for each time.
 */
export class RecentRuns {
  readonly #pool: pg.Pool
  readonly #runs = new ByteCache<{ version: string; run: Run }>(limits.runsCachedBytesMax)

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /**
   * Changes with everything that `getRun` answers: PostgreSQL's own mark of who wrote a row last is another after each
   * change, whichever statement made it. One read by key that tells nothing of what is in the run, so it needs no
   * transaction of the tenant's. Throws `run_not_found`.
   */
  async version({ organizationId, runId }: RunIds): Promise<string> {
    const { rows } = await this.#pool.query<{ version: string }>({
      name: 'run-version',
      text: `select concat_ws('.', h.revision, h.xmin, r.xmin,
          (select string_agg(concat_ws('-', p.id, p.xmin), '.' order by p.id) from pulls p where ${pullsOfRun})) as version
        from ${runTables} where r.organization_id = $1 and r.id = $2`,
      values: [organizationId, runId],
    })
    if (!rows[0]) throw new AppError('run_not_found', { message: `There is no run ${runId} in this organization.` })
    return rows[0].version
  }

  /** The run at this version or a later one: never one from before the version was asked for. */
  async get(db: Db, { organizationId, runId, version }: RunIds & { version: string }): Promise<Run> {
    const key = `${organizationId}/${runId}`
    const known = this.#runs.get(key)
    if (known?.version === version) return known.run
    const run = await getRun(db, { organizationId, runId })
    this.#runs.set(key, { version, run }, Buffer.byteLength(JSON.stringify(run)))
    return run
  }
}
