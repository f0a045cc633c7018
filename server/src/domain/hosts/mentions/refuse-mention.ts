import type { Db } from '#db/pool.ts'
import { subjectText, type Mention } from '#domain/hosts/mention.ts'

/** Remembers that nothing is done of what was asked, and why. */
export async function refuseMention(db: Db, { request, why }: { request: Mention; why: string }): Promise<void> {
  const { organizationId, repoId, on, key } = request
  await db.query(
    `insert into host_requests (organization_id, repo_id, subject, key, outcome) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, repo_id, subject, key) do nothing`,
    [organizationId, repoId, subjectText(on), key, why],
  )
}
