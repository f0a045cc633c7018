-- People who have signed in with a browser. A session lasts no longer than the token that it was begun with: another secret
-- of that token, or none, ends it.
create table sessions (
  digest bytea primary key,
  credential_id bigint not null references credentials on delete cascade,
  token_digest bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_by_credential on sessions (credential_id);
create index sessions_by_end on sessions (expires_at);
