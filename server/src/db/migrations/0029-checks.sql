-- What tells whether a commit of the built-in host is good: commands of the repository that workers run (`command` is what
-- they run), what an outside CI reports, and runs of ours.
create table checks (
  organization_id bigint not null,
  id bigint generated always as identity,
  repo_id bigint not null,
  commit text not null,
  -- One of a commit's: local:<name>, ci:<name>, run:<key>.
  key text not null,
  name text not null,
  app text not null,
  command text,
  status text not null default 'queued' check (status in ('queued', 'in_progress', 'completed')),
  conclusion text check (conclusion in
    ('success', 'failure', 'cancelled', 'timed_out', 'neutral', 'skipped', 'action_required', 'stale', 'startup_failure')),
  url text,
  summary text,
  log_sha256 text,
  -- The branch of which the commit was the newest; null once it is not. Such a check is wanted without a pull request.
  branch text,
  created_at timestamptz not null default now(),
  -- When it was asked for, the last time.
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- By the worker that runs it, until then; each claim is an attempt, with a sandbox of its own.
  claim_id uuid,
  claimed_until timestamptz,
  attempt int not null default 0,
  -- Attempts since it was asked for that were lost with their workers.
  losses int not null default 0,
  primary key (organization_id, id),
  unique (organization_id, repo_id, commit, key),
  check ((status = 'completed') = (conclusion is not null)),
  foreign key (organization_id, repo_id) references repos on delete cascade,
  foreign key (organization_id, log_sha256) references blobs
);
create index checks_waiting on checks (queued_at) where command is not null and status <> 'completed';
create index checks_of_branch on checks (organization_id, repo_id, branch) where branch is not null;
create index checks_by_log on checks (organization_id, log_sha256) where log_sha256 is not null;

-- A sandbox is a run's or a check's. That of a check is there until its row says that it has ended.
alter table sandboxes alter column run_id drop not null;
alter table sandboxes add column check_id bigint;
alter table sandboxes add foreign key (organization_id, check_id) references checks on delete cascade;
alter table sandboxes add check (num_nonnulls(run_id, check_id) <= 1);
create index on sandboxes (organization_id, check_id) where check_id is not null;

-- What is asked of the network is counted for a run, or for a sandbox that is no run's.
alter table egress_requests drop constraint egress_requests_pkey;
alter table egress_requests alter column run_id drop not null;
alter table egress_requests add column sandbox_id bigint;
alter table egress_requests add foreign key (organization_id, sandbox_id) references sandboxes on delete cascade;
alter table egress_requests add check (num_nonnulls(run_id, sandbox_id) = 1);
alter table egress_requests add unique (organization_id, run_id, n);
alter table egress_requests add unique (organization_id, sandbox_id, n);
alter table egress_counts drop constraint egress_counts_pkey;
alter table egress_counts alter column run_id drop not null;
alter table egress_counts add column sandbox_id bigint;
alter table egress_counts add foreign key (organization_id, sandbox_id) references sandboxes on delete cascade;
alter table egress_counts add check (num_nonnulls(run_id, sandbox_id) = 1);
alter table egress_counts add unique (organization_id, run_id);
alter table egress_counts add unique (organization_id, sandbox_id);
