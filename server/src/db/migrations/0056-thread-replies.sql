-- Comments on lines of a pull request that ask something of a run, each to be answered in its own thread.
create table thread_replies (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  run_id bigint not null,
  repo_id bigint not null,
  -- As of host_requests: `pull:7`.
  subject text not null,
  -- As the host names them: the comment, and the one that began its thread.
  comment_id text not null,
  thread_id text not null,
  -- Which lines of which commit it is about.
  lines jsonb not null,
  -- The message of the run that holds it.
  message int not null,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, run_id, repo_id, comment_id),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade,
  foreign key (organization_id, repo_id) references repos (organization_id, id) on delete cascade
);
create index thread_replies_by_repo on thread_replies (organization_id, repo_id);

-- Whether all that was asked stands in threads, where it is answered: then no comment of the whole is needed.
alter table run_replies add column is_in_threads boolean not null default false;
