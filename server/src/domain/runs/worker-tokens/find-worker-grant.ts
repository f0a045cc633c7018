import { maybeOne, type Db } from '#db/pool.ts'
import { digestsOf, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { isWorkerTokenText } from '#domain/accounts/tokens/token-text.ts'

/** What a remote worker may do that was let in. */
export type WorkerGrant = {
  /** Null: let in by what the settings of the service say. */
  tokenId: number | null
  /** Whose runs alone it may take; null: those of all organizations. */
  organizationId: number | null
  /** The labels that it may have; null: any. */
  labels: string[] | null
}

/**
 * What whoever shows this may do; undefined where it is unknown, expired or revoked. Notes that it was used. One that was digested
 * with the previous key is digested anew.
 */
export async function findWorkerGrant(db: Db, keys: TokenKeys, secret: string): Promise<WorkerGrant | undefined> {
  if (!isWorkerTokenText(secret)) return undefined
  const digests = digestsOf(keys, secret)
  return maybeOne<WorkerGrant>(
    db,
    `update worker_tokens set last_used_at = now(), digest = $2, key_mark = $3
     where digest = any($1) and (expires_at is null or expires_at > now())
     returning id as "tokenId", organization_id, labels`,
    [digests, digests[0], keys.mark],
  )
}
