import type pg from 'pg'

/**
 * The database as one organization sees it: each statement, or each transaction (`inTransaction`), runs as a role that
 * row level security binds to the organization's rows. The net below the conditions that queries have themselves.
 */
export class TenantDb {
  readonly pool: pg.Pool
  readonly organizationId: number

  constructor(pool: pg.Pool, organizationId: number) {
    if (!Number.isSafeInteger(organizationId)) throw new Error(`${organizationId} is no id of an organization`)
    this.pool = pool
    this.organizationId = organizationId
  }

  /** One statement, in a transaction of its own. */
  readonly query = ((...statement: TenantStatement) => queryAsTenant(this, statement)) as pg.Pool['query']
}

type TenantStatement = [text: string, values?: unknown[]] | [query: pg.QueryConfig]

/** Begins a transaction as the tenant. Both settings end with it, so that a connection goes back as it came. */
export function beginAsTenant(organizationId: number): string {
  return `begin; set local role runwright_tenant; set local app.organization_id = ${organizationId}`
}

/**
 * All three are sent at once, so that this takes as long as one. Should the first fail, the transaction has failed, and the
 * statement with it: it never runs as anybody else.
 */
async function queryAsTenant({ pool, organizationId }: TenantDb, statement: TenantStatement): Promise<unknown> {
  const client = await pool.connect()
  const [begun, answered, ended] = await Promise.allSettled([
    client.query(beginAsTenant(organizationId)),
    client.query(...(statement as [string, unknown[]])),
    client.query('commit'),
  ])
  client.release(begun.status === 'rejected' || ended.status === 'rejected')
  for (const part of [begun, answered, ended]) if (part.status === 'rejected') throw part.reason
  return (answered as PromiseFulfilledResult<unknown>).value
}
