-- Why a worker takes no runs though it lives (domain/runs/workers/node-fault.ts); empty: it takes some.
alter table workers add column unfit text[] not null default '{}';

-- How often workers have failed this turn by a fault of their own, and when one did so last.
alter table run_heads add column node_faults smallint not null default 0;
alter table run_heads add column node_fault_at timestamptz;

create or replace function wait_reason(wanted text[]) returns text language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select case
    when exists (select from workers w where w.alive_until > now() and not w.draining and w.labels @> wanted and w.unfit = '{}') then 'capacity'
    when exists (select from workers w where w.alive_until > now() and not w.draining and w.labels @> wanted) then 'no_fit_worker'
    else 'no_worker' end
$$;

-- What belongs to no partition that is there, so that a log is never refused because a chore has failed.
create table steps_default partition of steps default;
create table log_entries_default partition of log_entries default;

-- Makes the partitions of the newest run and of the 200,000 to come, and takes out of the default ones what has a partition
-- of its own to go to. Given the newest id, it reads no run. Whoever finds somebody else at it leaves it to them.
create or replace function make_partitions(last_run_id bigint) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  parent text;
  part text;
  rest text;
  n bigint;
  wanted bigint[];
  late bigint[];
  has_rest boolean;
  rest_rows bigint;
  rest_rows_max bigint := 50000;
begin
  if not pg_try_advisory_xact_lock(727003) then return; end if;
  foreach parent in array array['steps', 'log_entries'] loop
    rest := parent || '_default';
    wanted := array(select generate_series(last_run_id / 100000, last_run_id / 100000 + 2));
    execute format('select exists (select from %I)', rest) into has_rest;
    if has_rest then
      execute format('select array(select distinct run_id / 100000 from %I order by 1 limit 10)', rest) into late;
      wanted := array(select distinct unnest(wanted || late) order by 1);
    end if;
    foreach n in array wanted loop
      part := format('%s_%s', parent, n);
      continue when to_regclass(part) is not null;
      rest_rows := 0;
      if has_rest then
        execute format('lock table %I in access exclusive mode', rest);
        execute format('select count(*) from (select from %I where run_id >= $1 and run_id < $2 limit $3) as few', rest)
          into rest_rows using n * 100000, (n + 1) * 100000, rest_rows_max + 1;
      end if;
      -- So many are not moved beside the day's work: they stay where they are found as well.
      continue when rest_rows > rest_rows_max;
      if rest_rows = 0 then
        execute format('create table %I partition of %I for values from (%s) to (%s)', part, parent, n * 100000, (n + 1) * 100000);
      else
        execute format('create table %I (like %I including all)', part, parent);
        execute format('with moved as (delete from %I where run_id >= $1 and run_id < $2 returning *) insert into %I select * from moved',
          rest, part) using n * 100000, (n + 1) * 100000;
        execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, part, n * 100000, (n + 1) * 100000);
      end if;
    end loop;
  end loop;
end $$;
