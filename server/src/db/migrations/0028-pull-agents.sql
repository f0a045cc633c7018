-- Who looks after a pull request that a run has opened: domain/hosts/pull-agent.ts says what state and effects hold.
-- effects: what it is to do outside, in order; one that is done is taken off.
-- reported: what it has last said of the run as a check of a commit.
create table pull_agents (
  organization_id bigint not null,
  pull_id bigint not null,
  repo_id bigint not null,
  run_id bigint not null,
  state jsonb not null,
  effects jsonb not null default '[]',
  reported jsonb,
  -- When to look how the pull request stands; null: not before something happens.
  due_at timestamptz,
  -- Counts what has happened, so that nothing is missed that happens while somebody looks.
  wakes int not null default 0,
  looked_at timestamptz,
  -- Looks in vain, one after the other.
  tries int not null default 0,
  claim_id uuid,
  claimed_until timestamptz,
  primary key (organization_id, pull_id),
  foreign key (organization_id, pull_id) references pulls on delete cascade
);
create index pull_agents_due on pull_agents (due_at) where due_at is not null;
create index pull_agents_by_run on pull_agents (organization_id, run_id);
create index pull_agents_by_repo on pull_agents (organization_id, repo_id);
create index runs_by_pull on runs (organization_id, pull_id) where pull_id is not null;

-- How agents mend checks that fail in a repository (domain/hosts/fixers/check-settings.ts), and which checks it has.
create table check_settings (
  organization_id bigint not null,
  repo_id bigint not null,
  settings jsonb not null default '{}',
  seen_names text[] not null default '{}',
  primary key (organization_id, repo_id),
  foreign key (organization_id, repo_id) references repos on delete cascade
);

-- When a merge was about to move its base: what a crash has left half done is looked for by it.
alter table pulls add column merge_intended_at timestamptz;
create index pulls_half_merged on pulls (merge_intended_at) where merge_intended_at is not null and not merged;
