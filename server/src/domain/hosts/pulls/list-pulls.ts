import { one, rows, type Db } from '#db/pool.ts'
import { pullColumns, type Pull } from './pull.ts'

export type ListPulls = {
  organizationId: number
  repoId?: number | undefined
  runId?: number | undefined
  number?: number | undefined
  state?: 'open' | 'closed' | undefined
  label?: string | undefined
  skip: number
  limit: number
}

/** Pull requests of all repositories, or of one; of a run are those that it opened. Newest first. */
export async function listPulls(
  db: Db,
  { organizationId, repoId, runId, number, state, label, skip, limit }: ListPulls,
): Promise<{ items: Pull[]; total: number }> {
  const from = `from pulls where organization_id = $1 and ($2::bigint is null or repo_id = $2) and ($3::bigint is null or run_id = $3)
    and ($4::int is null or number = $4) and ($5::text is null or state = $5)
    and ($6::text is null or $6 = any (labels))`
  const values = [organizationId, repoId, runId, number, state, label].map((value) => value ?? null)
  const { total } = await one<{ total: number }>(db, `select count(*) as total ${from}`, values)
  const page = `select ${pullColumns} ${from} order by id desc offset $7 limit $8`
  return { items: await rows<Pull>(db, page, [...values, skip, limit]), total }
}
