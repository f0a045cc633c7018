-- What is to be deleted of a run: all of it, or one part. The row is written in the transaction that hides what it names from
-- readers, and goes once no byte of that is left.
create table deletions (
  organization_id bigint not null references organizations (id),
  run_id bigint not null,
  part text not null check (part in ('runs', 'logs', 'artifacts', 'egress', 'model_calls', 'repositories')),
  created_at timestamptz not null default now(),
  primary key (organization_id, run_id, part)
);
create index deletions_by_time on deletions (created_at);

-- What is still known of a run that was deleted, none of it a text: that it was there, what it has cost its family, that agents have
-- pushed to its branch (as a digest), and who outside of the organization asked for what it started.
create table deleted_runs (
  organization_id bigint not null references organizations (id),
  run_id bigint not null,
  deleted_at timestamptz not null default now(),
  parent_run_id bigint,
  root_run_id bigint,
  max_cost_usd double precision,
  cost_usd numeric(14, 6),
  repo_id bigint,
  branch_digest bytea,
  askers jsonb not null default '[]',
  primary key (organization_id, run_id)
);
create index deleted_runs_by_root on deleted_runs (organization_id, root_run_id) where root_run_id is not null;
create index deleted_runs_by_branch on deleted_runs (organization_id, repo_id, branch_digest) where branch_digest is not null;

-- How many days an organization keeps each part of its runs after they ended, and up to which of them it was deleted.
create table retention (
  organization_id bigint not null references organizations (id),
  part text not null check (part in ('runs', 'logs', 'artifacts', 'egress', 'model_calls', 'repositories')),
  days integer not null check (days >= 1),
  done_until timestamptz not null default '-infinity',
  done_run_id bigint not null default 0,
  due_at timestamptz not null default now(),
  primary key (organization_id, part)
);
create index retention_by_time on retention (due_at);
create index runs_by_end on runs (organization_id, finished_at, id) where finished_at is not null;

-- Parts of which nothing is left, because they were kept no longer. Without its log or its repository a run does not go on.
alter table runs add column deleted_parts text[] not null default '{}';

-- The run that a kept answer tells of: the answer goes with it.
alter table idempotency_keys add column run_id bigint;
create index idempotency_keys_by_run on idempotency_keys (organization_id, run_id) where run_id is not null;

-- A call that is deleted because it is old was made all the same: only one that never ended is taken back.
create or replace function add_up_model_call() returns trigger language plpgsql as $$
declare
  was model_calls := case when tg_op <> 'INSERT' then old end;
  becomes model_calls := case when tg_op <> 'DELETE' then new end;
  call model_calls := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op = 'DELETE' and call.ended_at is not null then return null; end if;
  insert into usage_days as u (organization_id, day, user_id, repo_id, agent_type, model, calls, input_tokens, output_tokens, cost_usd, cache_read_tokens)
  select call.organization_id, call.day, r.user_id, r.repo_id, r.agent_type, call.model,
    (case when becomes.key is null then 0 else 1 end) - (case when was.key is null then 0 else 1 end),
    coalesce(becomes.input_tokens, 0) - coalesce(was.input_tokens, 0),
    coalesce(becomes.output_tokens, 0) - coalesce(was.output_tokens, 0),
    case when becomes.cost_usd is not null or was.cost_usd is not null
      then coalesce(becomes.cost_usd, 0) - coalesce(was.cost_usd, 0) end,
    coalesce(becomes.cache_read_tokens, 0) - coalesce(was.cache_read_tokens, 0)
  from runs r where r.organization_id = call.organization_id and r.id = call.run_id
  on conflict (organization_id, day, user_id, repo_id, agent_type, model) do update set
    calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens,
    cache_read_tokens = u.cache_read_tokens + excluded.cache_read_tokens,
    cost_usd = case when excluded.cost_usd is null then u.cost_usd else coalesce(u.cost_usd, 0) + excluded.cost_usd end;
  if tg_op = 'DELETE' then
    delete from usage_days u using runs r
    where r.organization_id = call.organization_id and r.id = call.run_id and u.organization_id = call.organization_id
      and u.day = call.day and u.user_id is not distinct from r.user_id and u.repo_id is not distinct from r.repo_id
      and u.agent_type = r.agent_type and u.model = call.model and u.calls = 0;
  end if;
  return null;
end $$;

-- What deleted runs of a family have cost, and the limit of a deleted run at its top, count as before.
create or replace function limits_in_money(organization bigint, run bigint)
returns table (budget_id bigint, limit_usd numeric, spent_usd numeric, reserved_usd numeric, under_way bigint)
language sql stable as $$
  with self as (
    select r.user_id, r.repo_id, coalesce(r.root_run_id, r.id) as root_id from runs r
    where r.organization_id = organization and r.id = run),
  own as (
    select r.id, r.max_cost_usd::numeric as limit_usd from runs r, self s
    where r.organization_id = organization and r.id in (run, s.root_id) and r.max_cost_usd is not null
      and not exists (select from deleted_runs d where d.organization_id = organization and d.run_id = r.id)
    union all
    select d.run_id, d.max_cost_usd::numeric from deleted_runs d, self s
    where d.organization_id = organization and d.run_id = s.root_id and d.max_cost_usd is not null),
  scopes as (
    select null::bigint as budget_id, o.limit_usd,
      (select coalesce(sum(h.cost_usd), 0) from run_heads h where h.organization_id = organization
         and (h.run_id = o.id or h.run_id in (select f.id from runs f where f.organization_id = organization and f.root_run_id = o.id)))
      + (select coalesce(sum(d.cost_usd), 0) from deleted_runs d
         where d.organization_id = organization and (d.run_id = o.id or d.root_run_id = o.id)) as spent_usd,
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
