-- As before (0040), but whoever writes to a run that has no partition yet is waited for: their rows came into the default
-- partition after it had been looked at, and the new partition was refused because of them. The parent is locked before
-- its default partition, as writers do it.
create or replace function make_partitions(last_run_id bigint) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  parent text;
  part text;
  rest text;
  n bigint;
  wanted bigint[];
  late bigint[];
  rest_rows bigint;
  few text := 'select count(*) from (select from %I where run_id >= $1 and run_id < $2 limit $3) as few';
  rest_rows_max bigint := 50000;
begin
  if not pg_try_advisory_xact_lock(727003) then return; end if;
  foreach parent in array array['steps', 'log_entries'] loop
    rest := parent || '_default';
    wanted := array(select generate_series(last_run_id / 100000, last_run_id / 100000 + 2));
    execute format('select array(select distinct run_id / 100000 from %I order by 1 limit 10)', rest) into late;
    wanted := array(select distinct unnest(wanted || late) order by 1);
    foreach n in array wanted loop
      part := format('%s_%s', parent, n);
      continue when to_regclass(part) is not null;
      -- So many are not moved beside the day's work: they stay where they are found as well.
      execute format(few, rest) into rest_rows using n * 100000, (n + 1) * 100000, rest_rows_max + 1;
      continue when rest_rows > rest_rows_max;
      execute format('lock table only %I in access exclusive mode', parent);
      execute format('lock table %I in access exclusive mode', rest);
      execute format(few, rest) into rest_rows using n * 100000, (n + 1) * 100000, rest_rows_max + 1;
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
