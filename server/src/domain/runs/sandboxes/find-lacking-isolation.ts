import { describeLack, type EnforcementReport, type EnforcementRequired } from '#base/enforcement.ts'
import { maybeOne, type Db } from '#db/pool.ts'

export type FindLackingIsolation = { organizationId: number; repoId?: number | null }

/** What no worker that may take such a run holds as the organization requires, in words; null where nothing lacks. */
export async function findLackingIsolation(
  db: Db,
  { organizationId, repoId = null }: FindLackingIsolation,
): Promise<string | null> {
  const found = await maybeOne<{ required: EnforcementRequired; given: EnforcementReport }>(
    db,
    `select o.settings->'sandbox_require' as required, given
     from organizations o, lacking_walls(o.settings->'sandbox_require', $1, labels_wanted($1, $2)) as given
     where o.id = $1 and given is not null`,
    [organizationId, repoId],
  )
  const lack = found && describeLack(found.required, found.given)
  return lack ? describeRefusal(lack) : null
}

/** What people are told where a run is refused for it. */
export function describeRefusal(lack: string): string {
  return `The organization requires stronger sandbox limits than this worker can enforce: ${lack}.`
}
