import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'

/** What the organization tells its agents besides their prompts; null: nothing. Throws `organization_not_found`. */
export async function getRules(db: Db, { organizationId }: { organizationId: number }): Promise<string | null> {
  const found = await maybeOne<{ rules: string | null }>(db, 'select rules from organizations where id = $1', [
    organizationId,
  ])
  if (!found) throw new AppError('organization_not_found')
  return found.rules
}
