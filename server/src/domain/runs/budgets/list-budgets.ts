import { one, rows, type Db } from '#db/pool.ts'
import { budgetColumns, type Budget } from './budget.ts'

export type ListBudgets = { organizationId: number; skip: number; limit: number }

/** The budgets of the organization, oldest first. */
export async function listBudgets(
  db: Db,
  { organizationId, skip, limit }: ListBudgets,
): Promise<{ items: Budget[]; total: number }> {
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from budgets where organization_id = $1',
    [organizationId],
  )
  const items = await rows<Budget>(
    db,
    `select ${budgetColumns} from budgets b where b.organization_id = $1 order by b.id limit $2 offset $3`,
    [organizationId, limit, skip],
  )
  return { items, total }
}
