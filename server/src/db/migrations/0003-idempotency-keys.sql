-- Answers to requests that named an Idempotency-Key, written in the transaction of what they did. organization_id null:
-- the path has no organization. digest: of user, method, path and key; body_digest: of what the request said.
create table idempotency_keys (
  organization_id bigint references organizations,
  digest bytea not null,
  body_digest bytea not null,
  answer text,
  created_at timestamptz not null,
  unique nulls not distinct (organization_id, digest)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
