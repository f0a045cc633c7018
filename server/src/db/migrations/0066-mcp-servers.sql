-- Servers of the Model Context Protocol: of the organization, or of one repository, where one stands in for the organization's of the same
-- name. `headers` and `env` name secrets as ${NAME}; their values are never stored here.
create table mcp_servers (
  organization_id bigint not null references organizations (id),
  id bigint not null generated always as identity,
  repo_id bigint,
  name text not null,
  url text,
  headers json not null default '{}',
  command json,
  env json not null default '{}',
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, repo_id) references repos (organization_id, id) on delete cascade,
  unique nulls not distinct (organization_id, repo_id, name),
  check ((url is null) <> (command is null))
);
