import type pg from 'pg'
import { pullsOfRun, runTables, type RunIds } from './run.ts'

type Asked = RunIds & { resolve: (version: string | undefined) => void; reject: (error: unknown) => void }

/** Statements under way at once, and runs that one of them asks for. */
const statementsMax = 2
const askedMax = 500

/**
 * Asks for the versions of runs: a version changes with everything that `getRun` answers, because PostgreSQL's own mark
 * of who wrote a row last is another after each change, whichever statement made it. It tells nothing of what is in the
 * run, so it needs no transaction of the tenant's.
 *
 * Who comes while statements are under way is asked for by the next one, together with all others who came. So each is
 * answered from a moment after it came, and a thousand readers cost the database little more than one.
 */
export class RunVersions {
  readonly #pool: pg.Pool
  #waiting: Asked[] = []
  #underWay = 0

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Undefined where there is no such run in the organization. */
  get({ organizationId, runId }: RunIds): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ organizationId, runId, resolve, reject })
      void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    if (this.#underWay >= statementsMax || !this.#waiting.length) return
    this.#underWay++
    const asked = this.#waiting.splice(0, askedMax)
    try {
      const { rows } = await this.#pool.query<[string | null]>({
        name: 'run-versions',
        rowMode: 'array',
        text: versions,
        values: [asked.map(({ organizationId }) => organizationId), asked.map(({ runId }) => runId)],
      } as pg.QueryArrayConfig)
      for (const [n, { resolve }] of asked.entries()) resolve(rows[n]?.[0] ?? undefined)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    } finally {
      this.#underWay--
      void this.#ask()
    }
  }
}

/** A subquery for each, so that each is found by key however the tables grow. */
const versions = `
  select (select concat_ws('.', h.revision, h.xmin, r.xmin,
      (select string_agg(concat_ws('-', p.id, p.xmin), '.' order by p.id) from pulls p where ${pullsOfRun}))
    from ${runTables} where r.organization_id = asked.organization_id and r.id = asked.run_id)
  from unnest($1::bigint[], $2::bigint[]) with ordinality as asked (organization_id, run_id, n) order by n`
