import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { labelSet } from '#domain/accounts/organizations/label-set.ts'
import { digestOf, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { newWorkerTokenText, tokenEnds } from '#domain/accounts/tokens/token-text.ts'
import { workerTokenColumns, workerTokensMax, type WorkerToken } from './worker-token.ts'

export type CreateWorkerToken = Pick<WorkerToken, 'organizationId' | 'name' | 'labels' | 'createdBy' | 'expiresAt'>

/** Makes a token for remote workers. Its secret is in this answer and nowhere else. Throws `organization_not_found`, `conflict` (too many). */
export async function createWorkerToken(
  db: Db,
  keys: TokenKeys,
  { organizationId, name, labels, createdBy, expiresAt }: CreateWorkerToken,
): Promise<{ token: WorkerToken; secret: string }> {
  const secret = newWorkerTokenText()
  return inTransaction(db, async (tx) => {
    if (organizationId !== null) await requireRoom(tx, organizationId)
    const token = await one<WorkerToken>(
      tx,
      `insert into worker_tokens (organization_id, name, digest, key_mark, prefix, last4, labels, created_by, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${workerTokenColumns}`,
      [
        organizationId,
        name,
        digestOf(keys, secret),
        keys.mark,
        ...tokenEnds(secret),
        labels && labelSet(labels),
        createdBy,
        expiresAt,
      ],
    )
    return { token, secret }
  })
}

/** However many are made at once: each waits for the one before. */
async function requireRoom(tx: Db, organizationId: number): Promise<void> {
  const organization = await maybeOne(
    tx,
    'select id from organizations where id = $1 and deleted_at is null for no key update',
    [organizationId],
  )
  if (!organization) throw new AppError('organization_not_found')
  const { count } = await one<{ count: number }>(
    tx,
    'select count(*) as count from worker_tokens where organization_id = $1',
    [organizationId],
  )
  if (count >= workerTokensMax)
    throw new AppError('conflict', {
      message: `An organization can have at most ${workerTokensMax} worker tokens: revoke one that is not used any more.`,
    })
}
