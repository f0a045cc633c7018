-- Runs that the agent of another run starts. `child_key` is the step of the parent that did: a step that is repeated finds what it has started.
-- `root_run_id` is the run at the top of such a family; its money is the family's.
alter table runs add column child_key text, add column root_run_id bigint;
create unique index runs_by_child_key on runs (organization_id, parent_run_id, child_key) where child_key is not null;
create index runs_by_root on runs (organization_id, root_run_id) where root_run_id is not null;

-- Which runs a run waits for, and until when: {key, runIds, since, until}.
alter table run_heads add column run_wait jsonb;
create index run_heads_waiting_for_runs on run_heads (organization_id, run_id) where run_wait is not null;

create or replace function limits_in_money(organization bigint, run bigint)
returns table (budget_id bigint, limit_usd numeric, spent_usd numeric, reserved_usd numeric, under_way bigint)
language sql stable as $$
  with self as (
    select r.user_id, r.repo_id, coalesce(r.root_run_id, r.id) as root_id from runs r
    where r.organization_id = organization and r.id = run),
  own as (
    select r.id, r.max_cost_usd::numeric as limit_usd from runs r, self s
    where r.organization_id = organization and r.id in (run, s.root_id) and r.max_cost_usd is not null),
  scopes as (
    select null::bigint as budget_id, o.limit_usd,
      (select coalesce(sum(h.cost_usd), 0) from run_heads h where h.organization_id = organization
         and (h.run_id = o.id or h.run_id in (select f.id from runs f where f.organization_id = organization and f.root_run_id = o.id))) as spent_usd,
      o.id as run_id, null::bigint as user_id, null::bigint as repo_id
    from own o
    union all
    select b.id, b.limit_usd, budget_spent(b), null, b.user_id, b.repo_id from budgets b, self s
    where b.organization_id = organization and (b.user_id is null or b.user_id = s.user_id)
      and (b.repo_id is null or b.repo_id = s.repo_id)),
  open as (
    select c.run_id, r.root_run_id, r.user_id, r.repo_id, greatest(coalesce(c.reserved_usd, 0) - coalesce(c.cost_usd, 0), 0) as more_usd,
      c.lease_id is not null and c.lease_id is not distinct from h.lease_id as is_live
    from model_calls c join runs r on r.organization_id = c.organization_id and r.id = c.run_id
      join run_heads h on h.organization_id = c.organization_id and h.run_id = c.run_id
    where c.organization_id = organization and c.ended_at is null)
  select s.budget_id, s.limit_usd,
    s.spent_usd + coalesce(sum(o.more_usd) filter (where not o.is_live), 0),
    coalesce(sum(o.more_usd) filter (where o.is_live), 0),
    count(*) filter (where o.is_live)
  from scopes s left join open o on (s.run_id is null or o.run_id = s.run_id or o.root_run_id = s.run_id)
    and (s.user_id is null or o.user_id = s.user_id) and (s.repo_id is null or o.repo_id = s.repo_id)
  group by s.budget_id, s.run_id, s.limit_usd, s.spent_usd
$$;
