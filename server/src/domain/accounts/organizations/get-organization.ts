import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { organizationColumns, type Organization } from './organization.ts'

/** Throws `organization_not_found`. */
export async function getOrganization(db: Db, { organizationId }: { organizationId: number }): Promise<Organization> {
  const found = await maybeOne<Organization>(db, `select ${organizationColumns} from organizations o where o.id = $1`, [
    organizationId,
  ])
  if (!found) throw new AppError('organization_not_found')
  return found
}
