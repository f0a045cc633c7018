-- Workers that were lost lately, and the runs that they held then. A run that was not among those of each is not what
-- ended them, so its own losses do not count against it.
create table lost_workers (
  worker_id bigint primary key,
  lost_at timestamptz not null default now(),
  run_ids bigint[] not null
);
