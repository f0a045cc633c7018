-- What each call of a model has used, whoever made it: an engine, under the key of its step, or a program in a sandbox.
-- A call of the latter is stored as it begins, with what it will use at least, and keeps that should its worker be lost.
create table model_calls (
  organization_id bigint not null,
  run_id bigint not null,
  key text not null,
  turn int not null,
  day date not null default (now() at time zone 'utc')::date,
  model text not null,
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  cost_usd numeric(14,6),
  price_source text,
  is_estimated boolean not null default false,
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (organization_id, run_id, key),
  foreign key (organization_id, run_id) references runs
);

-- The same, added up; what people read, and what budgets are held against.
create table usage_days (
  organization_id bigint not null references organizations,
  day date not null,
  user_id bigint,
  repo_id bigint,
  agent_type text not null,
  model text not null,
  calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_usd numeric(16,6),
  unique nulls not distinct (organization_id, day, user_id, repo_id, agent_type, model)
) with (fillfactor = 70);

-- Each change of a call changes the sums by the difference; a call that is taken back was never made.
create function add_up_model_call() returns trigger language plpgsql as $$
declare
  was model_calls := case when tg_op <> 'INSERT' then old end;
  becomes model_calls := case when tg_op <> 'DELETE' then new end;
  call model_calls := case when tg_op = 'DELETE' then old else new end;
begin
  insert into usage_days as u (organization_id, day, user_id, repo_id, agent_type, model, calls, input_tokens, output_tokens, cost_usd)
  select call.organization_id, call.day, r.user_id, r.repo_id, r.agent_type, call.model,
    (case when becomes.key is null then 0 else 1 end) - (case when was.key is null then 0 else 1 end),
    coalesce(becomes.input_tokens, 0) - coalesce(was.input_tokens, 0),
    coalesce(becomes.output_tokens, 0) - coalesce(was.output_tokens, 0),
    case when becomes.cost_usd is not null or was.cost_usd is not null
      then coalesce(becomes.cost_usd, 0) - coalesce(was.cost_usd, 0) end
  from runs r where r.organization_id = call.organization_id and r.id = call.run_id
  on conflict (organization_id, day, user_id, repo_id, agent_type, model) do update set
    calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens,
    cost_usd = case when excluded.cost_usd is null then u.cost_usd else coalesce(u.cost_usd, 0) + excluded.cost_usd end;
  if tg_op = 'DELETE' then
    delete from usage_days u using runs r
    where r.organization_id = call.organization_id and r.id = call.run_id and u.organization_id = call.organization_id
      and u.day = call.day and u.user_id is not distinct from r.user_id and u.repo_id is not distinct from r.repo_id
      and u.agent_type = r.agent_type and u.model = call.model and u.calls = 0;
  end if;
  return null;
end $$;
create trigger model_calls_added_up after insert or update or delete on model_calls
  for each row execute function add_up_model_call();

-- Limits in money: of the organization, or of what one user, one repository, or one user in one repository spends.
create table budgets (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  user_id bigint references users,
  repo_id bigint,
  period text not null check (period in ('day', 'month', 'total')),
  limit_usd numeric(14,6) not null check (limit_usd >= 0),
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, repo_id) references repos
);

-- What a budget counts began here; days and months are those of UTC.
create function budget_began(period text) returns date language sql stable as $$
  select case period when 'day' then (now() at time zone 'utc')::date
    when 'month' then date_trunc('month', now() at time zone 'utc')::date else '-infinity' end
$$;

create function budget_spent(budget budgets) returns numeric language sql stable as $$
  select coalesce(sum(u.cost_usd), 0) from usage_days u
  where u.organization_id = budget.organization_id and u.day >= budget_began(budget.period)
    and (budget.user_id is null or u.user_id = budget.user_id) and (budget.repo_id is null or u.repo_id = budget.repo_id)
$$;

-- The id of a budget that is used up for runs of this user in this repository; null while there is none.
create function used_up_budget(organization bigint, spender bigint, repo bigint) returns bigint language sql stable as $$
  select b.id from budgets b
  where b.organization_id = organization and (b.user_id is null or b.user_id = spender)
    and (b.repo_id is null or b.repo_id = repo) and budget_spent(b) >= b.limit_usd
  order by b.id limit 1
$$;

-- Whether the run may spend nothing more: it has cost what it may, or a budget that it falls under is used up.
create function has_spent_all(organization bigint, run bigint) returns boolean language sql stable as $$
  select coalesce(h.cost_usd >= r.max_cost_usd, r.max_cost_usd <= 0, false)
    or used_up_budget(organization, r.user_id, r.repo_id) is not null
  from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
  where r.organization_id = organization and r.id = run
$$;
