-- What models read from their provider's cache, which costs a fraction: it was kept for each call, but in no sum.
alter table run_heads add column cache_read_tokens bigint not null default 0;
alter table usage_days add column cache_read_tokens bigint not null default 0;

update run_heads h set cache_read_tokens = s.cached
from (select organization_id, run_id, sum(cache_read_tokens) as cached from model_calls group by 1, 2) s
where h.organization_id = s.organization_id and h.run_id = s.run_id and s.cached > 0;

update usage_days u set cache_read_tokens = s.cached
from (select c.organization_id, c.day, r.user_id, r.repo_id, r.agent_type, c.model, sum(c.cache_read_tokens) as cached
      from model_calls c join runs r on r.organization_id = c.organization_id and r.id = c.run_id group by 1, 2, 3, 4, 5, 6) s
where u.organization_id = s.organization_id and u.day = s.day and u.user_id is not distinct from s.user_id
  and u.repo_id is not distinct from s.repo_id and u.agent_type = s.agent_type and u.model = s.model and s.cached > 0;

create or replace function add_up_model_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was model_calls := case when tg_op <> 'INSERT' then old end;
  becomes model_calls := case when tg_op <> 'DELETE' then new end;
  call model_calls := case when tg_op = 'DELETE' then old else new end;
begin
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
end $function$;
