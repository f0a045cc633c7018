-- The built-in agent has two names, `codegen` and `builtin`. Rows had the one that was asked for, so filters and sums saw two engines.
create function name_engine() returns trigger language plpgsql as $$
begin
  new.agent_type := 'builtin';
  return new;
end $$;

-- The previous version still inserts the other name while it is being replaced.
create trigger runs_name_engine before insert on runs
  for each row when (new.agent_type = 'codegen') execute function name_engine();

update runs set agent_type = 'builtin' where agent_type = 'codegen';
update repos set default_engine = 'builtin' where default_engine = 'codegen';

with old as (delete from usage_days where agent_type = 'codegen' returning *)
insert into usage_days as u (organization_id, day, user_id, repo_id, agent_type, model, calls, input_tokens, output_tokens, cost_usd, cache_read_tokens)
select organization_id, day, user_id, repo_id, 'builtin', model, calls, input_tokens, output_tokens, cost_usd, cache_read_tokens from old
on conflict (organization_id, day, user_id, repo_id, agent_type, model) do update set
  calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
  output_tokens = u.output_tokens + excluded.output_tokens,
  cache_read_tokens = u.cache_read_tokens + excluded.cache_read_tokens,
  cost_usd = case when excluded.cost_usd is null then u.cost_usd else coalesce(u.cost_usd, 0) + excluded.cost_usd end;
