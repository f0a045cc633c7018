-- Requests that are charged to windows of several owners, such as a token, its user and its organization: to all of them, or
-- to none where one that guards has no room; `refusing` is which. Owners are locked in one order, as `admit_requests` locks
-- tokens, so that two statements never wait for each other in a circle.
create function admit_shared_requests(asked json, out n int, out refusing int, out used int[], out resets float8[])
returns setof record language plpgsql as $$
declare
  request record;
  owner bigint;
  held timestamptz[];
  width interval;
  charged int;
  oldest timestamptz;
begin
  for owner in
    select distinct unnest(a.owners) from json_to_recordset(asked) as a (owners bigint[]) order by 1
  loop
    perform pg_advisory_xact_lock(727003, (owner % 2147483647)::int);
  end loop;
  -- After the first lock of rate_windows: whoever takes its counts into memory locks the table before it says so.
  lock table rate_windows in row exclusive mode;
  if exists (select from rate_counters c where c.in_memory and c.alive_until > clock_timestamp()) then
    raise exception 'another process counts in memory' using errcode = 'RW002';
  end if;
  for request in
    select * from json_to_recordset(asked)
      as a (n int, owners bigint[], policies text[], limits int[], seconds int[], guards boolean[])
    order by a.n
  loop
    n := request.n;
    refusing := null;
    used := '{}';
    resets := '{}';
    for i in 1 .. cardinality(request.owners) loop
      continue when not request.guards[i];
      select w.times into held from rate_windows w
      where w.credential_id = request.owners[i] and w.policy = request.policies[i];
      if cardinality(held) >= request.limits[i] and held[cardinality(held) - request.limits[i] + 1]
          > clock_timestamp() - make_interval(secs => request.seconds[i]) then
        refusing := i;
        exit;
      end if;
    end loop;
    for i in coalesce(refusing, 1) .. coalesce(refusing, cardinality(request.owners)) loop
      if refusing is null then
        insert into rate_windows as w (credential_id, policy, times)
        values (request.owners[i], request.policies[i], array[clock_timestamp()])
        on conflict (credential_id, policy) do update
          set times = w.times[cardinality(w.times) - request.limits[i] + 2 :]
            || greatest(clock_timestamp(), w.times[cardinality(w.times)])
        returning w.times into held;
      end if;
      width := make_interval(secs => request.seconds[i]);
      select count(*), min(time) into charged, oldest
      from unnest(held[greatest(cardinality(held) - request.limits[i] + 1, 1) :]) as t (time)
      where time > clock_timestamp() - width;
      used := used || charged;
      resets := resets || extract(epoch from oldest + width - clock_timestamp())::float8;
    end loop;
    return next;
  end loop;
end $$;
