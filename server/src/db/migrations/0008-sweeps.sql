-- look_at: when it is next looked at whether a row still names these bytes; put off by whoever is about to name them.
alter table blobs add column look_at timestamptz not null default now() + interval '1 hour';
create index blobs_by_look on blobs (look_at);

-- What names a blob is found by the blob.
create index artifacts_by_blob on artifacts (organization_id, sha256);
create index messages_by_image on messages using gin ((images::jsonb) jsonb_path_ops) where images::text <> '[]';

create index credentials_by_run on credentials (organization_id, run_id) where kind = 'git';
