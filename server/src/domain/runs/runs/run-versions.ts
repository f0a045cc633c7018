import type pg from 'pg'
import { Batcher } from '#base/concurrency/batcher.ts'
import { limits } from '#base/limits.ts'
import { pullsOfRun, runTables, type RunIds } from '#domain/runs/run.ts'

export type Surroundings = {
  /** Whether every change that a request makes is made by this process. */
  isAlone: () => boolean
  /** Another number whenever this process has heard of changed runs. */
  news: () => number
}

type Version = string | undefined
type Seen = { version: Version; askedAt: number; moment: number }

/** Statements under way at once, and runs that one of them asks for. */
const underWayMax = 2
const togetherMax = 500

/**
 * Asks for the versions of runs: a version changes with everything that `getRun` answers, because PostgreSQL's own mark
 * of who wrote a row last is another after each change, whichever statement made it. It tells nothing of what is in the
 * run, so it needs no transaction of the tenant's.
 *
 * Where this process is the only one that takes requests, an answer is good for a moment longer: until it makes or hears
 * of a change, and `limits.runVersionMs` at most. So whoever was told of a change, by an answer or by a stream, never
 * reads what was before it.
 */
export class RunVersions {
  readonly #surroundings: Surroundings
  readonly #seen = new Map<string, Seen>()
  readonly #together: Batcher<RunIds, Version>
  #changes = 0

  constructor(pool: pg.Pool, surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.#together = new Batcher({ underWayMax, togetherMax, ask: (asked) => readVersions(pool, asked) })
  }

  /** Undefined where there is no such run in the organization. */
  async get(ids: RunIds): Promise<Version> {
    if (!this.#surroundings.isAlone()) return this.#together.ask(ids)
    const key = `${ids.organizationId}/${ids.runId}`
    const [moment, askedAt] = [this.#moment, performance.now()]
    const seen = this.#seen.get(key)
    if (seen && seen.moment === moment && askedAt - seen.askedAt < limits.runVersionMs) return seen.version
    const version = await this.#together.ask(ids)
    if (this.#seen.size >= limits.runVersionsMax) this.#seen.clear()
    // What has happened meanwhile has made the moment another, and then this is never used.
    this.#seen.set(key, { version, askedAt, moment })
    return version
  }

  /** To be called between a change that this process has made and the answer that tells of it. */
  forget(): void {
    this.#changes++
  }

  get #moment(): number {
    return this.#changes + this.#surroundings.news()
  }
}

async function readVersions(pool: pg.Pool, asked: RunIds[]): Promise<Version[]> {
  const { rows } = await pool.query<[string | null]>({
    name: 'run-versions',
    rowMode: 'array',
    text: versions,
    values: [asked.map(({ organizationId }) => organizationId), asked.map(({ runId }) => runId)],
  } as pg.QueryArrayConfig)
  return rows.map(([version]) => version ?? undefined)
}

/** A subquery for each, so that each is found by key however the tables grow. */
const versions = `
  select (select concat_ws('.', h.revision, h.xmin, r.xmin,
      (select string_agg(concat_ws('-', p.id, p.xmin), '.' order by p.id) from pulls p where ${pullsOfRun}))
    from ${runTables} where r.organization_id = asked.organization_id and r.id = asked.run_id)
  from unnest($1::bigint[], $2::bigint[]) with ordinality as asked (organization_id, run_id, n) order by n`
