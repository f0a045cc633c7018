import { maybeOne, type Db } from '#db/pool.ts'

/** The command of the accepted setup proposal that runs the repository's tests; null where there is none. */
export async function findAcceptedTest(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<string | null> {
  const found = await maybeOne<{ command: string | null }>(
    db,
    `select test_command as command from setup_proposals where organization_id = $1 and repo_id = $2 and state = 'accepted'`,
    [organizationId, repoId],
  )
  return found?.command ?? null
}
