import type { Db } from '#db/pool.ts'
import { digestsOf, type TokenKeys } from './token-keys.ts'

/** Uses a ticket up. True for one alone, however many try: whoever deletes the row has used it. */
export async function spendStreamTicket(db: Db, keys: TokenKeys, secret: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from stream_tickets where digest = any($1) and expires_at > now()', [
    digestsOf(keys, secret),
  ])
  return rowCount === 1
}
