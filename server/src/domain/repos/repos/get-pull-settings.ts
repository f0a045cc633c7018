import { maybeOne, type Db } from '#db/pool.ts'
import { pullSettingsOf, type PullSettings } from '#domain/repos/pull-settings.ts'

export async function getPullSettings(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<PullSettings> {
  const row = await maybeOne<{ pullSettings: Partial<PullSettings> }>(
    db,
    'select pull_settings from repos where organization_id = $1 and id = $2',
    [organizationId, repoId],
  )
  return pullSettingsOf(row ?? { pullSettings: {} })
}
