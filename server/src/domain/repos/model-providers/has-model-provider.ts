import { one, type Db } from '#db/pool.ts'

/** Whether an organization has models of its own, whatever the operator has. */
export async function hasModelProvider(db: Db, { organizationId }: { organizationId: number }): Promise<boolean> {
  const { has } = await one<{ has: boolean }>(
    db,
    'select exists (select 1 from model_providers where organization_id = $1 and removed_at is null) as has',
    [organizationId],
  )
  return has
}
