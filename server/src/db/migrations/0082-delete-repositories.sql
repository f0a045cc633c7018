-- A repository that was removed is emptied from `empty_at` on: its content, its rows, and what people wrote in its own. Null: nothing is left to do.
-- What stays of it is a number, to which the runs that were kept and the sums of usage refer.
alter table repos add column empty_at timestamptz;
alter table repos add column takes_runs boolean not null default false;
create index repos_to_empty on repos (empty_at) where empty_at is not null;
update repos set empty_at = now() where removed_at is not null;

-- The repository that a kept answer tells of: the answer goes with it.
alter table idempotency_keys add column repo_id bigint;
create index idempotency_keys_by_repo on idempotency_keys (organization_id, repo_id) where repo_id is not null;
