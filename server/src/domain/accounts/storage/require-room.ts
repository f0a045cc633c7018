import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takingStorage } from './storage.ts'

/** Throws `storage_full` where an organization can store nothing more, so that nothing is begun that could not be told. */
export async function requireRoom(db: Db, { organizationId }: { organizationId: number }): Promise<void> {
  const { isFull } = await one<{ isFull: boolean }>(
    db,
    `select coalesce((select bytes >= storage_limit($1, 'organization') from storage
       where organization_id = $1 and scope = 'organization' and id = $1), false) as "isFull"`,
    [organizationId],
  )
  if (!isFull) return
  // What is said of a byte too many is said of this.
  await takingStorage(() =>
    inTransaction(db, async (tx) => {
      for (const delta of [1, -1])
        await tx.query(`select count_storage($1, 'organization', $1, 'logs', $2)`, [organizationId, delta])
    }),
  )
}
