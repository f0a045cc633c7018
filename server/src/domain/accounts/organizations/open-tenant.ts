import type pg from 'pg'
import { TenantDb } from '#db/tenant-db.ts'

/** The database as this organization sees it: rows of others are not there, and cannot be made. */
export function openTenant(pool: pg.Pool, { organizationId }: { organizationId: number }): TenantDb {
  return new TenantDb(pool, organizationId)
}
