-- Who changed what in an organization. A row is written before the change is begun, and is given its status when it is answered: null is
-- what a process did not live to answer. Values that people write are not in it, so none can be a secret.
create table audit_entries (
  organization_id bigint not null references organizations (id),
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  action text not null,
  user_id bigint not null references users (id),
  credential_id bigint not null,
  address text not null,
  request_id text not null,
  named jsonb not null,
  changed jsonb not null,
  status smallint,
  primary key (organization_id, id)
);
create index audit_entries_by_user on audit_entries (organization_id, user_id, id);
create index audit_entries_by_time on audit_entries (at);
