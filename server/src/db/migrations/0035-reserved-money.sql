-- What a call under way may cost beside what it will likely, so that nobody else takes that money; and under which lease it
-- was begun: one whose worker was lost never says what it used, and keeps what it may have cost.
alter table model_calls add column reserved_usd numeric(14,6), add column lease_id uuid;
create index model_calls_under_way on model_calls (organization_id, run_id) where ended_at is null;

-- Each limit in money that a run falls under: its own (no budget), and those of its organization. What is reserved is what
-- calls under way may cost beyond what they already count as.
create function limits_in_money(organization bigint, run bigint)
returns table (budget_id bigint, limit_usd numeric, spent_usd numeric, reserved_usd numeric, under_way bigint)
language sql stable as $$
  with self as (
    select r.user_id, r.repo_id, r.max_cost_usd::numeric as limit_usd, coalesce(h.cost_usd, 0) as spent_usd
    from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
    where r.organization_id = organization and r.id = run),
  scopes as (
    select null::bigint as budget_id, s.limit_usd, s.spent_usd, run as run_id, null::bigint as user_id, null::bigint as repo_id
    from self s where s.limit_usd is not null
    union all
    select b.id, b.limit_usd, budget_spent(b), null, b.user_id, b.repo_id from budgets b, self s
    where b.organization_id = organization and (b.user_id is null or b.user_id = s.user_id)
      and (b.repo_id is null or b.repo_id = s.repo_id)),
  open as (
    select c.run_id, r.user_id, r.repo_id, greatest(coalesce(c.reserved_usd, 0) - coalesce(c.cost_usd, 0), 0) as more_usd,
      c.lease_id is not null and c.lease_id is not distinct from h.lease_id as is_live
    from model_calls c join runs r on r.organization_id = c.organization_id and r.id = c.run_id
      join run_heads h on h.organization_id = c.organization_id and h.run_id = c.run_id
    where c.organization_id = organization and c.ended_at is null)
  select s.budget_id, s.limit_usd,
    s.spent_usd + coalesce(sum(o.more_usd) filter (where not o.is_live), 0),
    coalesce(sum(o.more_usd) filter (where o.is_live), 0),
    count(*) filter (where o.is_live)
  from scopes s left join open o on (s.run_id is null or o.run_id = s.run_id)
    and (s.user_id is null or o.user_id = s.user_id) and (s.repo_id is null or o.repo_id = s.repo_id)
  group by s.budget_id, s.limit_usd, s.spent_usd
$$;

-- What a call that was lost with its worker may have cost is spent.
create or replace function has_spent_all(organization bigint, run bigint) returns boolean language sql stable as $$
  select coalesce(bool_or(m.spent_usd >= m.limit_usd), false) from limits_in_money(organization, run) m
$$;
