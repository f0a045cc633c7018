-- By what every process knows whether its secret key is the others': a digest under a key that is derived from it, over
-- random bytes. It reveals nothing of the key, and is another in each database.
create table key_fingerprint (
  only_one boolean primary key default true check (only_one),
  salt bytea not null,
  digest bytea not null,
  set_at timestamptz not null default now()
);
