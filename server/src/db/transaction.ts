import pg from 'pg'
import type { Db } from './pool.ts'
import { beginAsTenant, TenantDb } from './tenant-db.ts'

/** Runs `work` in one transaction. Given a transaction's own client, `work` joins that transaction. */
export async function inTransaction<T>(db: Db, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  if (!(db instanceof pg.Pool || db instanceof TenantDb)) return work(db)
  const client = await (db instanceof TenantDb ? db.pool : db).connect()
  let broken: Error | undefined
  try {
    // Sent together with the first statement of the work, which fails where this does.
    const begun = client.query(db instanceof TenantDb ? beginAsTenant(db.organizationId) : 'begin')
    begun.catch(() => {})
    const result = await work(client)
    await begun
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}
