import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { CheckSettings } from './check-settings.ts'
import { getCheckSettings, type RepoChecks } from './get-check-settings.ts'

export type SaveCheckSettings = {
  organizationId: number
  repoId: number
  /** What is left out stays as it is. */
  settings: Partial<CheckSettings>
}

/** Throws `repo_not_found`. */
export async function saveCheckSettings(
  db: Db,
  { organizationId, repoId, settings }: SaveCheckSettings,
): Promise<RepoChecks> {
  return inTransaction(db, async (tx) => {
    await getRepo(tx, { organizationId, repoId })
    await tx.query(
      `insert into check_settings as known (organization_id, repo_id, settings) values ($1, $2, $3)
       on conflict (organization_id, repo_id) do update set settings = known.settings || excluded.settings`,
      [organizationId, repoId, JSON.stringify(settings)],
    )
    return getCheckSettings(tx, { organizationId, repoId })
  })
}
