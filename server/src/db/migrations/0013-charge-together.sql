-- Many requests charged in one statement, in the order of their tokens. A token's requests wait for each other whichever
-- of its windows they touch, so that two such statements never wait for each other in a circle.
create function admit_requests(asked json, out n int, out admitted boolean, out used int[], out resets float8[])
returns setof record language plpgsql as $$
declare one record;
begin
  for one in
    select * from json_to_recordset(asked) as a (n int, credential bigint, policies text[], limits int[], seconds int[], guards boolean)
    order by a.credential, a.n
  loop
    perform pg_advisory_xact_lock(727003, (one.credential % 2147483647)::int);
    n := one.n;
    select a.admitted, a.used, a.resets into admitted, used, resets
    from admit_request(one.credential, one.policies, one.limits, one.seconds, one.guards) a;
    return next;
  end loop;
end $$;
