import type { Db } from '#db/pool.ts'
import { isFromOutside } from '#domain/runs/messages/list-askers.ts'

export type MarkDeleted = { organizationId: number; runIds: number[] }

/**
 * Takes runs that have ended out of everybody's sight, and leaves their bytes to `emptyDeletions`. A run is read and written through
 * its head, so it is gone with it. The caller holds the locks of the heads. What they have cost stays counted; a call that was lost with its worker
 * has then cost what it may have.
 */
export async function markDeleted(tx: Db, { organizationId, runIds }: MarkDeleted): Promise<void> {
  for (const text of [settleCalls, keepSums, removeHeads, removeNotifications, request])
    await tx.query(text, [organizationId, runIds])
}

const settleCalls = `
  with settled as (
    update model_calls set ended_at = now(), is_estimated = true,
      cost_usd = case when reserved_usd is null then cost_usd else greatest(coalesce(cost_usd, 0), reserved_usd) end
    where organization_id = $1 and run_id = any($2) and ended_at is null
    returning run_id, reserved_usd, key)
  update run_heads h set cost_usd = coalesce(h.cost_usd, 0) + more.usd from (
    select s.run_id, sum(greatest(s.reserved_usd - coalesce(c.cost_usd, 0), 0)) as usd
    from settled s join model_calls c on c.organization_id = $1 and c.run_id = s.run_id and c.key = s.key
    where s.reserved_usd is not null group by s.run_id) more
  where h.organization_id = $1 and h.run_id = more.run_id`

const keepSums = `
  insert into deleted_runs (organization_id, run_id, parent_run_id, root_run_id, max_cost_usd, cost_usd, repo_id, branch_digest, askers)
  select r.organization_id, r.id, case when r.child_key is not null then r.parent_run_id end, r.root_run_id, r.max_cost_usd, h.cost_usd,
    r.repo_id, sha256(convert_to(r.branch, 'UTF8')),
    coalesce((select jsonb_agg(distinct m.asker::jsonb) from messages m
      where m.organization_id = r.organization_id and m.run_id = r.id and m.asker is not null and ${isFromOutside('m')}
        and exists (select from runs c where c.organization_id = r.organization_id and c.parent_run_id = r.id and c.child_key is not null)), '[]')
  from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
  where r.organization_id = $1 and r.id = any($2)`

const removeHeads = 'delete from run_heads where organization_id = $1 and run_id = any($2)'

const removeNotifications = 'delete from notifications where organization_id = $1 and run_id = any($2)'

const request = `
  insert into deletions (organization_id, run_id, part) select $1, run_id, 'runs' from unnest($2::bigint[]) as run_id`
