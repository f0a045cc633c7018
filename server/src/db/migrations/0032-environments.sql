-- What .runwright.yml says to a run, as it was where the run's base branch stood: {"commit", "egress", "push"}; see
-- domain/repos/environments.
alter table runs add column environment jsonb;

-- Whether the file may let sandboxes reach more than these.
alter table organizations add column egress_from_file boolean not null default false;
alter table repos add column egress_from_file boolean not null default false;
-- Whether runs fail where the setup does, or go on without.
alter table repos add column setup_required boolean not null default true;
alter table repos add column snapshots_made int not null default 0;

-- What the setup of a repository has left, kept in the data folder of one machine (place), so that later work trees there
-- start from it. key: of all that it depends on. state: making, ready; unfit (it cannot be kept, so each work tree is set
-- up by itself); failed (which counts for a while).
create table snapshots (
  organization_id bigint not null,
  repo_id bigint not null,
  n int not null,
  place text not null,
  key text not null,
  state text not null default 'making' check (state in ('making', 'ready', 'unfit', 'failed')),
  base_commit text not null,
  -- Whoever makes it, until then.
  maker uuid,
  made_until timestamptz,
  bytes bigint,
  -- Of the commands alone.
  duration_ms int,
  -- Why it is unfit, or what has failed: {"message", "command", "exitCode", "output"}.
  problem json,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  primary key (organization_id, repo_id, n),
  unique (organization_id, repo_id, place, key),
  foreign key (organization_id, repo_id) references repos on delete cascade
);
create index snapshots_by_place on snapshots (place, used_at);
