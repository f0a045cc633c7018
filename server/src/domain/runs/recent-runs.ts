import type pg from 'pg'
import { ByteCache } from '#base/byte-cache.ts'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { getRun } from './get-run.ts'
import { RunVersions } from './run-versions.ts'
import type { Run, RunIds } from './run.ts'

/**
 * Runs as they were read last. Nothing is ever told that a run has changed: what is remembered is good as long as the
 * run's version is the same, and that is asked for each time.
 */
export class RecentRuns {
  readonly #versions: RunVersions
  readonly #runs = new ByteCache<{ version: string; run: Run }>(limits.runsCachedBytesMax)

  constructor(pool: pg.Pool) {
    this.#versions = new RunVersions(pool)
  }

  /** Throws `run_not_found`. */
  async version({ organizationId, runId }: RunIds): Promise<string> {
    const version = await this.#versions.get({ organizationId, runId })
    if (version === undefined)
      throw new AppError('run_not_found', { message: `There is no run ${runId} in this organization.` })
    return version
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
