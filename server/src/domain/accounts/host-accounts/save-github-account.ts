import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { hostName } from './host-name.ts'

export type SaveGithubAccount = {
  organizationId: number
  userId: number
  /** Null: none. */
  account: { id: string; login: string } | null
}

/** Says who a member is on the GitHub that the organization has connected. Throws `conflict` where another member is. */
export async function saveGithubAccount(tx: Db, { organizationId, userId, account }: SaveGithubAccount): Promise<void> {
  const connected = await maybeOne<{ kind: string; baseUrl: string | null }>(
    tx,
    `select kind, base_url from integrations where organization_id = $1 and kind = 'github' order by active desc, id limit 1`,
    [organizationId],
  )
  const host = hostName(connected ?? { kind: 'github', baseUrl: null })
  await tx.query('delete from host_accounts where organization_id = $1 and user_id = $2 and host = $3', [
    organizationId,
    userId,
    host,
  ])
  if (!account) return
  const { rowCount } = await tx.query(
    `insert into host_accounts (organization_id, host, host_user_id, login, user_id) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, host, host_user_id) do nothing`,
    [organizationId, host, account.id, account.login, userId],
  )
  if (!rowCount)
    throw new AppError('conflict', { message: `Another member already uses the GitHub account ${account.id}.` })
}
