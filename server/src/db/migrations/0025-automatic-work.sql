-- The log entry that shows the message, where it is not a USER_MESSAGE with its text: {"messageType", "observation"}.
alter table messages add column entry json;

-- What the run is for, where that is not a change of files: see domain/runs/run-task.ts.
alter table runs add column task jsonb;

-- [{name, command}]: what tells whether a commit is good.
alter table repos add column check_commands json not null default '[]';

-- What has happened on a code host, the built-in one too, until somebody has acted on it. subject: what it is about
-- (pull:7, issue:3, branch:main, commit:<sha>); events of one subject are worked off in order, one at a time.
create table host_events (
  organization_id bigint not null,
  id bigint generated always as identity,
  repo_id bigint not null,
  subject text not null,
  event jsonb not null,
  created_at timestamptz not null default now(),
  -- Not before then; later where it was tried in vain.
  due_at timestamptz not null default now(),
  tries int not null default 0,
  -- By whoever is at work on it, until then.
  claimed_until timestamptz,
  done_at timestamptz,
  -- What became of it, in words.
  outcome text,
  primary key (organization_id, id),
  foreign key (organization_id, repo_id) references repos on delete cascade
);
create index host_events_waiting on host_events (due_at) where done_at is null;
create index host_events_by_subject on host_events (organization_id, repo_id, subject, id) where done_at is null;
