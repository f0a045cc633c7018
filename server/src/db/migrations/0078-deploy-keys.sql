-- Keys by which programs reach one repository over SSH. A key that organizations share opens in each what that one has given it. Those of
-- one organization open one repository each.
create table deploy_keys (
  organization_id bigint not null references organizations (id),
  id bigint not null generated always as identity,
  repo_id bigint not null,
  title text not null,
  public_key text not null,
  fingerprint text not null,
  can_push boolean not null default false,
  created_by bigint not null references users (id),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, repo_id) references repos (organization_id, id) on delete cascade,
  unique (organization_id, fingerprint)
);
create index deploy_keys_by_fingerprint on deploy_keys (fingerprint);
create index deploy_keys_by_repo on deploy_keys (organization_id, repo_id);

-- By which clients know the service over SSH: made once for all its processes, and sealed with the secret key.
create table ssh_host_key (
  only_one boolean primary key default true check (only_one),
  fingerprint text not null,
  sealed bytea not null,
  made_at timestamptz not null default now()
);
