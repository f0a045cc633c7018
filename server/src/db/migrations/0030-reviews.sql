-- Of a pull request on another host: where people look at it, who opened it ({hostUserId, login, isBot}), whether its branch
-- is one of another repository. Null url: it is one of the built-in host.
alter table pulls add column url text;
alter table pulls add column author jsonb;
alter table pulls add column is_from_fork boolean not null default false;
-- Other hosts let a branch have several open at once, for different bases, and branches of forks have the same names.
create unique index pulls_one_open_here on pulls (organization_id, repo_id, head_branch) where state = 'open' and url is null;
drop index pulls_one_open;

-- What somebody, or an agent's run, has found of a whole pull request. comments: [{path, line, side, body}]. marker: whoever
-- posts it again by it finds it. url: where it stands on another host.
create table pull_reviews (
  organization_id bigint not null,
  id bigint generated always as identity (maxvalue 9007199254740991),
  pull_id bigint not null,
  user_id bigint,
  run_id bigint,
  verdict text not null check (verdict in ('comment', 'approve', 'request_changes')),
  body text not null,
  comments json not null default '[]',
  head_commit text not null,
  marker text not null,
  url text,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, pull_id, marker),
  foreign key (organization_id, pull_id) references pulls on delete cascade
);

-- Commits that an agent is to review by itself, the newest of each subject (pull:7, branch:main): others make up for those
-- that came before. due_at: once nothing has moved until then; null: nothing waits. base: where a branch was before all that
-- waits. reviewed: the last commit for which a run was started.
create table awaited_reviews (
  organization_id bigint not null,
  repo_id bigint not null,
  subject text not null,
  commit text not null,
  base text,
  is_asked boolean not null default false,
  due_at timestamptz,
  claimed_until timestamptz,
  tries int not null default 0,
  reviewed text,
  run_id bigint,
  primary key (organization_id, repo_id, subject),
  foreign key (organization_id, repo_id) references repos on delete cascade
);
create index awaited_reviews_due on awaited_reviews (due_at) where due_at is not null;

-- When agents review by themselves: off, opened, each_head; null: as the organization's settings say. watched_branches: whose
-- pushes they look at.
alter table repos add column review_pulls text check (review_pulls in ('off', 'opened', 'each_head'));
alter table repos add column watched_branches text[] not null default '{}';

-- A review that a run posts is done outside, as a push is.
alter table effects drop constraint effects_kind_check;
alter table effects add constraint effects_kind_check check (kind in ('push', 'pull', 'review')) not valid;

-- What ran in a sandbox: the newest commands, each with the end of what it printed.
create table sandbox_logs (
  organization_id bigint not null,
  sandbox_id bigint not null,
  n int not null,
  command text not null,
  started_at timestamptz not null,
  duration_ms int not null,
  exit_code int,
  reason text not null,
  output text not null,
  -- Bytes that came before what is kept.
  cut_bytes bigint not null,
  primary key (organization_id, sandbox_id, n),
  foreign key (organization_id, sandbox_id) references sandboxes on delete cascade
);
