import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { labelsOf } from '#domain/hosts/issues/issue.ts'
import { findHostPull, type PullPlace } from './find-host-pull.ts'

/** Puts labels on a pull request of the built-in host, besides those that it has, up to the limit. Throws `pull_not_found`. */
export async function addLabels(
  db: Db,
  { labels, ...place }: PullPlace & { labels: readonly string[] },
): Promise<void> {
  const { organizationId, id } = await findHostPull(db, place)
  await db.query(
    `update pulls set updated_at = now(), labels =
       (labels || array(select l from unnest($3::text[]) with ordinality n (l, i) where l <> all (labels) order by i))[1:$4]
     where organization_id = $1 and id = $2 and not labels @> $3::text[]`,
    [organizationId, id, labelsOf([...labels]), limits.issueLabelsMax],
  )
}
