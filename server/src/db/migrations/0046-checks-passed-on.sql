-- How often workers have failed to run a check by faults of their own, one soon after the other, as of runs.
alter table checks
  add column node_faults integer not null default 0,
  add column node_fault_at timestamptz;
