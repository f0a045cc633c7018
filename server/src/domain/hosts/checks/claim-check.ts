import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { dropLogPieces } from './drop-log-pieces.ts'
import { recordChecksChanged } from './record-checks-changed.ts'

/** A check that this worker runs, for as long as it renews its claim. */
export type ClaimedCheck = {
  organizationId: number
  checkId: number
  repoId: number
  commit: string
  name: string
  command: string
  claimId: string
  /** Each claim's number; its sandbox has it in its id. */
  attempt: number
  /** Attempts before it that were lost with their workers. */
  losses: number
  /** The attempt before it was not finished, and had printed something. */
  isAnew: boolean
}

export type ClaimCheck = {
  /** What a repository may ask of the worker that takes its checks. */
  labels: readonly string[]
  /** How this worker holds the limits of its sandboxes. */
  enforcement: object
  /** Checks that are left to others. */
  except?: readonly number[]
}

/**
 * Takes the next check that waits, or whose worker has not renewed its claim: of the organization with the fewest at work,
 * the one that was asked for first. What an earlier worker left of it counts as ended.
 */
export async function claimCheck(
  db: Db,
  { labels, enforcement, except = [] }: ClaimCheck,
): Promise<ClaimedCheck | undefined> {
  return inTransaction(db, async (tx) => {
    const claimed = await maybeOne<ClaimedCheck>(tx, claim, [
      labels,
      JSON.stringify(enforcement),
      limits.checkClaimMs,
      except,
    ])
    if (!claimed) return undefined
    const { organizationId, checkId } = claimed
    if (claimed.isAnew) await dropLogPieces(tx, { organizationId, checkIds: [checkId] })
    await tx.query(
      `update sandboxes set ended_at = now(), end_reason = 'lost'
       where organization_id = $1 and check_id = $2 and ended_at is null`,
      [organizationId, checkId],
    )
    await recordChecksChanged(tx, claimed)
    return claimed
  })
}

const claim = `
  with pick as (
    select c.organization_id, c.id, c.status = 'in_progress' as is_lost, c.log_pieces > 0 as is_anew from checks c join organizations o on o.id = c.organization_id
    where c.command is not null and (c.status = 'queued' or c.status = 'in_progress' and c.claimed_until < now())
      and c.id <> all($4::bigint[])
      and labels_wanted(c.organization_id, c.repo_id) <@ $1::text[] and holds_walls(o.settings->'sandbox_require', $2::jsonb)
    order by (select count(*) from checks w where w.organization_id = c.organization_id and w.status = 'in_progress'
        and w.command is not null), c.queued_at, c.id
    limit 1 for update of c skip locked)
  update checks c set status = 'in_progress', conclusion = null, started_at = now(), attempt = attempt + 1,
    losses = losses + p.is_lost::int, log_pieces = 0, claim_id = gen_random_uuid(), claimed_until = now() + $3 * interval '1 millisecond'
  from pick p where c.organization_id = p.organization_id and c.id = p.id
  returning c.organization_id as "organizationId", c.id as "checkId", c.repo_id as "repoId", c.commit, c.name, c.command,
    c.claim_id as "claimId", c.attempt, c.losses, p.is_anew as "isAnew"`
