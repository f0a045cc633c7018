-- The run that waits for the check's result before it opens its pull request; null: none has. Such a check is wanted while that
-- run goes on, though no pull request has its commit yet.
alter table checks add column run_id bigint;
