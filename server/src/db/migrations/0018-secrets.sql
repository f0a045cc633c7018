-- What seals an organization's secrets; itself sealed with a key that the database does not hold.
create table data_keys (
  organization_id bigint primary key references organizations,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

-- A value by its name: the organization's for all its runs, a repository's for the runs there.
create table secrets (
  organization_id bigint not null references data_keys,
  repo_id bigint,
  name text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (organization_id, repo_id) references repos on delete cascade,
  unique nulls not distinct (organization_id, repo_id, name)
);

-- How runs of a repository work: models to choose from when they name none, and secrets that all commands are given.
alter table repos
  add column default_models text[] not null default '{}',
  add column environment_secrets text[] not null default '{}';
alter table organizations add column default_models text[] not null default '{}';
