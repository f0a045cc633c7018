import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'

export type RecordSeenChecks = { organizationId: number; repoId: number; names: string[] }

/** Keeps which checks the repository has, so that people can choose among them. */
export async function recordSeenChecks(db: Db, { organizationId, repoId, names }: RecordSeenChecks): Promise<void> {
  const kept = names.map((name) => name.slice(0, limits.checkNameCharactersMax))
  await db.query(
    `insert into check_settings as known (organization_id, repo_id, seen_names) values ($1, $2, $3)
     on conflict (organization_id, repo_id) do update
     set seen_names = (select array_agg(name) from (
       select distinct name from unnest(known.seen_names || excluded.seen_names) as name order by name limit $4) as names)
     where not known.seen_names @> excluded.seen_names and cardinality(known.seen_names) < $4`,
    [organizationId, repoId, [...new Set(kept)].sort(), limits.checkNamesSeenMax],
  )
}
