-- Connections of an organization to code hosts elsewhere. Their credentials are sealed with the organization's data key.
create table integrations (
  organization_id bigint not null references data_keys,
  id bigint generated always as identity,
  -- Part of the address that the host sends its events to; nobody guesses it.
  key text not null unique,
  kind text not null check (kind in ('github')),
  active boolean not null default true,
  -- Where the host's API is; null: at its maker's own.
  base_url text,
  -- Of a GitHub App, and of the account that has it installed; null for a personal access token, and before it is installed.
  app_id bigint,
  installation_id bigint,
  -- Whose repositories they are.
  account text,
  -- Who we are there.
  bot_id text,
  bot_login text,
  sealed bytea not null,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What went wrong the last time, in words for people.
  problem text,
  -- Its repositories are listed anew from then on; whoever does it moves this on first.
  sync_due_at timestamptz not null default now(),
  synced_at timestamptz,
  primary key (organization_id, id)
);
create index integrations_to_sync on integrations (sync_due_at) where active;

-- integration_id: null on the built-in host, and where a host is not connected any more.
-- host_repo_id: the host's own, which survives renames. url: where people find it there.
-- removed_at: nobody sees it any more; what runs did in it stays readable.
alter table repos
  add column integration_id bigint,
  add column host_repo_id text,
  add column url text,
  add column removed_at timestamptz,
  add foreign key (organization_id, integration_id) references integrations on delete set null (integration_id);
create unique index repos_of_host on repos (organization_id, integration_id, host_repo_id) where integration_id is not null;
