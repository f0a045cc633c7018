import { maybeOne, type Db } from '#db/pool.ts'
import { defaultCheckSettings, type CheckSettings } from './check-settings.ts'

export type RepoChecks = {
  settings: CheckSettings
  /** Names of the checks that commits of the repository were seen to have, and of the apps that run them. */
  seenNames: string[]
}

export async function getCheckSettings(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<RepoChecks> {
  const row = await maybeOne<{ settings: Partial<CheckSettings>; seenNames: string[] }>(
    db,
    `select settings, seen_names from check_settings where organization_id = $1 and repo_id = $2`,
    [organizationId, repoId],
  )
  return { settings: { ...defaultCheckSettings, ...row?.settings }, seenNames: row?.seenNames ?? [] }
}
