import { AppError } from '#base/errors.ts'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { forgetPrincipals } from '#domain/accounts/tokens/find-principal.ts'
import type { TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { forgetUsers } from './forget-users.ts'
import { unconfirmed } from './unconfirmed.ts'

export type DeleteOrganization = {
  organizationId: number
  /** Its name, as somebody types who means it. */
  confirm: string
}

/**
 * Deletes an organization: nobody is a member of it any more, its tokens, keys and credentials are gone, no worker takes one of its runs, and all its
 * bytes are removed soon after, whatever happens. Whoever is a member of no other organization is deleted with it. Throws
 * `organization_not_found`, `invalid_request` where the name is another one.
 */
export async function deleteOrganization(
  db: Db,
  keys: TokenKeys,
  { organizationId, confirm }: DeleteOrganization,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const organization = await maybeOne<{ name: string }>(
      tx,
      'select name from organizations where id = $1 and deleted_at is null for update',
      [organizationId],
    )
    if (!organization) throw new AppError('organization_not_found')
    if (confirm !== organization.name)
      throw unconfirmed(`To delete the organization, pass its name as "confirm": ${JSON.stringify(organization.name)}.`)
    for (const text of hidden) await tx.query(text, [organizationId])
    await removeMembers(tx, { organizationId })
  })
  forgetPrincipals(keys, (seen) => seen.organizationId === organizationId || seen.rolesSeen.has(organizationId))
}

const hidden = [
  `update organizations set deleted_at = now(), empty_at = now(), name = '', rules = null, settings = '{}', labels = '{}',
     egress_allow = '{}', egress_presets = '{}', default_models = '{}', default_effort = null, agent_id = null where id = $1`,
  'update run_slots set max_running = 0 where organization_id = $1',
  'update credentials set revoked_at = now() where organization_id = $1 and revoked_at is null',
  ...[
    'stream_tickets',
    'deploy_keys',
    'worker_tokens',
    'secrets',
    'integrations',
    'model_providers',
    'mcp_servers',
    'data_keys',
    'retention',
  ].map((table) => `delete from ${table} where organization_id = $1`),
]

async function removeMembers(tx: Db, { organizationId }: { organizationId: number }): Promise<void> {
  const alone = await rows<{ id: number }>(
    tx,
    `select u.id from memberships m join users u on u.id = m.user_id
     where m.organization_id = $1 and not u.is_admin
       and not exists (select from memberships o where o.user_id = u.id and o.organization_id <> $1)
     order by u.id for update of u`,
    [organizationId],
  )
  await forgetUsers(tx, { userIds: alone.map(({ id }) => id) })
  await tx.query('delete from memberships where organization_id = $1', [organizationId])
}
