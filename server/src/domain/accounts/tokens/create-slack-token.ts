import { one, type Db } from '#db/pool.ts'
import { digestOf, type TokenKeys } from './token-keys.ts'
import { newSlackTokenText } from './token-text.ts'

/** For how long it is good. */
export const slackTokenMinutes = 10

export type CreateSlackToken = { organizationId: number; userId: number }

/** Makes a token by which an account of Slack can be told to be this member's; an earlier one of theirs is good no more. */
export async function createSlackToken(
  db: Db,
  keys: TokenKeys,
  { organizationId, userId }: CreateSlackToken,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = newSlackTokenText()
  const { expiresAt } = await one<{ expiresAt: Date }>(
    db,
    `insert into slack_tokens (organization_id, user_id, digest, expires_at)
     values ($1, $2, $3, now() + make_interval(mins => $4))
     on conflict (organization_id, user_id) do update set digest = excluded.digest, expires_at = excluded.expires_at
     returning expires_at`,
    [organizationId, userId, digestOf(keys, secret), slackTokenMinutes],
  )
  return { secret, expiresAt }
}
