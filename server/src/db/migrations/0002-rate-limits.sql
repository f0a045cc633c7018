-- Rate limits. Both tables are unlogged: a crash of PostgreSQL forgets who asked how often, and nothing else.

-- The API processes. At most one living process counts in its own memory, and only while it is the only one.
create unlogged table rate_counters (
  id uuid primary key,
  alive_until timestamptz not null,
  in_memory boolean not null
);

-- One sliding log of one token: when the newest requests charged to the policy were, oldest first.
create unlogged table rate_windows (
  credential_id bigint not null,
  policy text not null,
  times timestamptz[] not null,
  primary key (credential_id, policy)
) with (fillfactor = 50);

-- Charges a request to all the named policies, or to none when the first of them guards and has no room. The log of each
-- keeps its newest `limits` times, so there is room when the oldest of a full one has left the window. `used` and
-- `resets` (seconds until the oldest charge leaves) are of each policy, after a refusal of the first alone.
create function admit_request(credential bigint, policies text[], limits int[], seconds int[], guards boolean,
  out admitted boolean, out used int[], out resets float8[]) language plpgsql as $$
declare
  held timestamptz[];
  width interval;
  gone int;
begin
  admitted := true;
  for i in 1 .. cardinality(policies) loop
    width := make_interval(secs => seconds[i]);
    -- The times are read under the row's lock, so they grow from charge to charge; a clock that steps back stands still.
    insert into rate_windows as w (credential_id, policy, times) values (credential, policies[i], array[clock_timestamp()])
    on conflict (credential_id, policy) do update
      set times = w.times[cardinality(w.times) - limits[i] + 2 :] || greatest(clock_timestamp(), w.times[cardinality(w.times)])
      where i > 1 or not guards or cardinality(w.times) < limits[i]
        or w.times[cardinality(w.times) - limits[i] + 1] <= clock_timestamp() - width
    returning w.times into held;
    if held is null then
      admitted := false;
      select w.times into held from rate_windows w where w.credential_id = credential and w.policy = policies[i];
    end if;
    -- After the first touch of rate_windows: whoever takes its counts into memory locks the table before it says so.
    if i = 1 and exists (select from rate_counters c where c.in_memory and c.alive_until > clock_timestamp()) then
      raise exception 'another process counts in memory' using errcode = 'RW002';
    end if;
    held := held[greatest(cardinality(held) - limits[i] + 1, 1) :];
    gone := width_bucket(clock_timestamp() - width, held);
    used[i] := cardinality(held) - gone;
    resets[i] := extract(epoch from held[gone + 1] + width - clock_timestamp());
    exit when not admitted;
  end loop;
end $$;
