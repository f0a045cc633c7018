-- By which the same thing that has happened, told twice, is one row: `comment:issue_comment:7`, `head:7:<sha>`.
alter table host_events add column key text;
create unique index host_events_by_key on host_events (organization_id, repo_id, key) where key is not null;
create index host_events_done on host_events (done_at) where done_at is not null;

-- Issues of the built-in host. Their numbers are drawn together with those of the repository's pull requests.
create table issues (
  organization_id bigint not null,
  id bigint generated always as identity (maxvalue 9007199254740991),
  repo_id bigint not null,
  number int not null,
  user_id bigint not null,
  title text not null,
  body text not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  labels text[] not null default '{}',
  is_assigned_to_agent boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, repo_id, number),
  foreign key (organization_id, repo_id) references repos on delete cascade
);

-- marker: hidden in a comment of our own, of which an issue has one at most.
create table issue_comments (
  organization_id bigint not null,
  id bigint generated always as identity (maxvalue 9007199254740991),
  issue_id bigint not null,
  user_id bigint not null,
  body text not null,
  marker text,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, issue_id) references issues on delete cascade
);
create index issue_comments_by_issue on issue_comments (organization_id, issue_id, id);
create unique index issue_comments_by_marker on issue_comments (organization_id, issue_id, marker) where marker is not null;

alter table pull_comments add column marker text;
create unique index pull_comments_by_marker on pull_comments (organization_id, pull_id, marker) where marker is not null;

-- What code hosts have sent to an integration's address, once for each delivery, until it is read. body: null once it is.
create table webhook_deliveries (
  organization_id bigint not null,
  id bigint generated always as identity,
  integration_id bigint not null,
  delivery text not null,
  event text not null,
  body bytea,
  received_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  tries int not null default 0,
  claimed_until timestamptz,
  done_at timestamptz,
  outcome text,
  primary key (organization_id, id),
  unique (organization_id, integration_id, delivery)
);
create index webhook_deliveries_waiting on webhook_deliveries (due_at) where done_at is null;
create index webhook_deliveries_done on webhook_deliveries (done_at) where done_at is not null;

-- When a repository of a host elsewhere is looked at for what its webhooks did not tell, and up to when that was seen.
create table host_polls (
  organization_id bigint not null,
  repo_id bigint not null,
  seen_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  -- How often nothing new was found in a row.
  idle int not null default 0,
  claimed_until timestamptz,
  problem text,
  primary key (organization_id, repo_id),
  foreign key (organization_id, repo_id) references repos on delete cascade
);
create index host_polls_due on host_polls (due_at);

-- What people have asked of the agent on a code host, once for each comment, assignment or label; key: which. run_id: the run
-- that was started or told; null where it was refused, and outcome says why.
create table host_requests (
  organization_id bigint not null,
  id bigint generated always as identity,
  repo_id bigint not null,
  subject text not null,
  key text not null,
  run_id bigint,
  outcome text,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, repo_id, subject, key),
  foreign key (organization_id, repo_id) references repos on delete cascade
);
create index host_requests_by_run on host_requests (organization_id, run_id);

-- Where a run's answer is told. is_awaited: somebody has asked since it was told last. due_at: it is to be told, since the run's turn
-- has ended.
create table run_replies (
  organization_id bigint not null,
  run_id bigint not null,
  repo_id bigint not null,
  subject text not null,
  is_awaited boolean not null default true,
  due_at timestamptz,
  tries int not null default 0,
  claimed_until timestamptz,
  primary key (organization_id, run_id, repo_id, subject),
  foreign key (organization_id, repo_id) references repos on delete cascade,
  foreign key (organization_id, run_id) references runs on delete cascade
);
create index run_replies_due on run_replies (due_at) where due_at is not null;

create function await_reply() returns trigger language plpgsql set search_path from current as $$
begin
  update run_replies set due_at = now(), tries = 0
  where organization_id = new.organization_id and run_id = new.run_id and is_awaited;
  return null;
end $$;
create trigger await_reply after update of status on run_heads for each row
  when (old.status is distinct from new.status and new.status in ('completed', 'failed', 'cancelled', 'waiting_for_user'))
  execute function await_reply();

-- Who members are on code hosts; host: `github`, or `github:ghe.example.com`.
create table host_accounts (
  organization_id bigint not null,
  host text not null,
  host_user_id text not null,
  login text not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, host, host_user_id),
  unique (organization_id, host, user_id),
  foreign key (organization_id, user_id) references memberships on delete cascade
);

-- The agent as a member of an organization: its comments stand under it, and runs of people who are no users of ours.
alter table organizations add column agent_id bigint references users;

-- Finds the agent, or makes it the first time. For tenants too, which may make no users.
create function agent_user(organization bigint) returns bigint language plpgsql security definer set search_path from current as $$
declare
  agent bigint;
begin
  select agent_id into agent from organizations where id = organization for no key update;
  if not found then return null; end if;
  if agent is null then
    insert into users (kind, full_name) values ('service', 'Agent') returning id into agent;
    update organizations set agent_id = agent where id = organization;
  end if;
  insert into memberships (organization_id, user_id, role) values (organization, agent, 'MEMBER') on conflict do nothing;
  return agent;
end $$;
