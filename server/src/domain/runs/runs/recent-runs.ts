import type pg from 'pg'
import { ByteCache } from '#base/byte-cache.ts'
import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { missingRun } from '#domain/runs/missing-run.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { RunVersions, type Surroundings } from './run-versions.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'

/** Runs as they were read last: what is remembered is good as long as the run's version is the same. */
export class RecentRuns {
  readonly #pool: Db
  readonly #versions: RunVersions
  readonly #runs = new ByteCache<{ version: string; run: Run }>(limits.runsCachedBytesMax)

  constructor(pool: pg.Pool, surroundings: Surroundings) {
    this.#pool = pool
    this.#versions = new RunVersions(pool, surroundings)
  }

  /** To be called between a change that this process has made and the answer that tells of it. */
  forget(): void {
    this.#versions.forget()
  }

  /** Throws `run_not_found`. */
  async version({ organizationId, runId }: RunIds): Promise<string> {
    const version = await this.#versions.get({ organizationId, runId })
    if (version === undefined) throw await missingRun(this.#pool, { organizationId, runId })
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
