-- Expand first: the previous version runs beside this schema.
-- Why a code host does not let us in for now; null where it does. See domain/hosts/integrations/integration.ts.
alter table integrations add column halted text check (halted in ('suspended', 'uninstalled'));
-- What was found the last time, by what was looked at: {"permissions": {"status": "ok", "message": "…", "url": null}}.
alter table integrations add column checks jsonb not null default '{}';
-- Of the address and the secret that the webhook of a GitHub App was last given.
alter table integrations add column hook_digest text;

-- The webhook of a repository whose integration is a token, which has none of its own.
create table repo_hooks (
  organization_id bigint not null,
  repo_id bigint not null,
  -- Of the address and the secret that it was last given; null where it has none of ours.
  digest text,
  checked_at timestamptz not null default now(),
  -- Why there is none, in words for people.
  problem text,
  primary key (organization_id, repo_id),
  foreign key (organization_id, repo_id) references repos on delete cascade
);

-- Whether the host of a repository can be worked with now, as far as is known.
create function is_repo_connected(of_organization bigint, of_host text, of_integration bigint) returns boolean language sql stable as $$
  select of_host = 'local' or exists (
    select from integrations where organization_id = of_organization and id = of_integration and active and halted is null)
$$;
