import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'
import { digestOf, type TokenKeys } from './token-keys.ts'
import { newTicketText } from './token-text.ts'

export type CreateStreamTicket = { organizationId: number; credentialId: number }

/** Makes a ticket that opens one stream of the organization, as the token does whose owner asks for it. */
export async function createStreamTicket(
  db: Db,
  keys: TokenKeys,
  { organizationId, credentialId }: CreateStreamTicket,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = newTicketText()
  const { expiresAt } = await one<{ expiresAt: Date }>(
    db,
    `insert into stream_tickets (digest, organization_id, credential_id, expires_at)
     values ($1, $2, $3, now() + make_interval(secs => $4)) returning expires_at`,
    [digestOf(keys, secret), organizationId, credentialId, limits.ticketSeconds],
  )
  return { secret, expiresAt }
}
