import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'

export type RevokeWorkerToken = { organizationId: number | null; tokenId: number }

/**
 * Ends a token. Within seconds the workers that are connected with it are cut off, and others go on with their runs. Throws
 * `worker_token_not_found`.
 */
export async function revokeWorkerToken(db: Db, { organizationId, tokenId }: RevokeWorkerToken): Promise<void> {
  const { rowCount } = await db.query(
    'delete from worker_tokens where organization_id is not distinct from $1 and id = $2',
    [organizationId, tokenId],
  )
  if (!rowCount) throw new AppError('worker_token_not_found')
}
