-- The data model. Every tenant table has organization_id first in its key and in every foreign key, so that row level
-- security, partitions and a split by organization need no rewrite. Ids are 1 .. 2^53 - 1, so JSON holds them exactly.

create table organizations (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  name text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  email text unique,
  full_name text,
  avatar_url text,
  kind text not null default 'person' check (kind in ('person', 'service')),
  is_admin boolean not null default false,
  created_at timestamptz not null default now()
);

create table memberships (
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  role text not null check (role in ('ADMIN', 'MANAGER', 'MEMBER')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index memberships_by_user on memberships (user_id);

-- Tokens of people ('token') and of runs ('git'). organization_id null: good in all organizations of its user.
-- A git token is dead as soon as its run's lease moves on.
create table credentials (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  organization_id bigint references organizations,
  user_id bigint references users,
  kind text not null check (kind in ('token', 'git')),
  name text,
  digest bytea not null unique,
  prefix text not null,
  last4 text not null,
  run_id bigint,
  lease_id uuid,
  repo_id bigint,
  push_branches text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((kind = 'token') = (user_id is not null)),
  check (kind <> 'git' or (organization_id is not null and run_id is not null and lease_id is not null and repo_id is not null))
);

create table repos (
  organization_id bigint not null references organizations,
  id bigint generated always as identity (maxvalue 9007199254740991),
  host text not null,
  name text not null,
  description text,
  path text not null,
  default_branch text not null,
  visibility text not null default 'private',
  archived boolean not null default false,
  language text,
  setup_commands text,
  imported_from text,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index repos_name on repos (organization_id, host, lower(name));

-- A run: wide, seldom written. Its head below: narrow, one in-place update a step.
create table runs (
  organization_id bigint not null references organizations,
  id bigint generated always as identity (maxvalue 9007199254740991),
  user_id bigint references users,
  repo_id bigint,
  parent_run_id bigint,
  source_type text not null,
  agent_type text not null,
  model text,
  prompt text not null,
  metadata jsonb,
  title text,
  base_branch text,
  base_commit text,
  branch text,
  branch_commit text,
  create_pull_request boolean not null,
  timeout_minutes int not null,
  result text,
  summary text,
  error jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, repo_id) references repos
);
create index runs_by_user on runs (organization_id, user_id, id desc);
create index runs_by_repo on runs (organization_id, repo_id, id desc) where repo_id is not null;

create table workers (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  name text not null,
  slots int not null,
  version text not null,
  started_at timestamptz not null default now(),
  alive_until timestamptz not null,
  draining boolean not null default false
);

-- The only truth about who runs what. revision grows with every change that a reader could see.
create table run_heads (
  organization_id bigint not null,
  run_id bigint not null,
  status text not null default 'queued'
    check (status in ('queued', 'in_progress', 'waiting_for_user', 'paused', 'completed', 'failed', 'cancelled')),
  status_detail text,
  turn int not null default 1,
  turn_started_at timestamptz,
  next_seq int not null default 1,
  next_step int not null default 1,
  revision bigint not null default 1,
  wanted text check (wanted in ('cancel', 'pause')),
  wanted_by bigint,
  worker_id bigint,
  lease_id uuid,
  claims int not null default 0,
  priority int not null default 0,
  not_before timestamptz not null default now(),
  progress_at timestamptz,
  log_bytes bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_usd numeric(14, 6),
  updated_at timestamptz not null default now(),
  primary key (organization_id, run_id),
  foreign key (organization_id, run_id) references runs,
  check ((lease_id is null) = (worker_id is null)),
  check (status = 'in_progress' or lease_id is null)
) with (fillfactor = 70);
create index run_heads_queue on run_heads (organization_id, priority desc, run_id) include (not_before) where status = 'queued';
create index run_heads_held on run_heads (worker_id) where worker_id is not null;
create index run_heads_status on run_heads (organization_id, status, run_id desc);

create table run_transitions (was text not null, becomes text not null, primary key (was, becomes));
insert into run_transitions
select was, unnest(string_to_array(becomes, ' ')) from (values
  ('queued', 'in_progress paused cancelled failed'),
  ('in_progress', 'queued waiting_for_user paused completed failed cancelled'),
  ('waiting_for_user', 'queued cancelled failed'),
  ('paused', 'queued cancelled'),
  ('completed', 'queued'), ('failed', 'queued'), ('cancelled', 'queued')
) as t (was, becomes);

-- A run that has ended goes on only as a new turn, so a late success never overwrites a cancellation.
create function check_run_transition() returns trigger language plpgsql as $$
begin
  if not exists (select from run_transitions where was = old.status and becomes = new.status)
    or (old.status in ('completed', 'failed', 'cancelled') and new.turn <= old.turn) then
    raise exception 'run % may not go from % to %', old.run_id, old.status, new.status using errcode = 'RW001';
  end if;
  return new;
end $$;
create trigger run_heads_transition before update of status on run_heads
  for each row when (old.status is distinct from new.status) execute function check_run_transition();

-- How many runs of an organization are at work. Its row lock makes the limit exact, served_at makes it fair.
create table run_slots (
  organization_id bigint primary key references organizations,
  running int not null default 0 check (running >= 0),
  max_running int not null default 4,
  served_at timestamptz not null default now()
) with (fillfactor = 50);

-- What people say to a run. The first of a turn is its prompt; taken_seq is the log entry that shows it.
create table messages (
  organization_id bigint not null,
  run_id bigint not null,
  n int not null,
  turn int,
  body text not null,
  author_id bigint references users,
  created_at timestamptz not null default now(),
  taken_seq int,
  taken_step int,
  primary key (organization_id, run_id, n),
  foreign key (organization_id, run_id) references runs
);
create index messages_waiting on messages (organization_id, run_id, n) where taken_seq is null;

-- What a worker resumes from: the intent before a model or tool call, the outcome after. Private, unlike the log.
create table steps (
  organization_id bigint not null,
  run_id bigint not null,
  step int not null,
  turn int not null,
  key text not null,
  kind text not null check (kind in ('model', 'tool', 'note')),
  state text not null check (state in ('started', 'done')),
  lease_id uuid not null,
  tries int not null default 1,
  request json not null,
  response json,
  input_tokens bigint,
  output_tokens bigint,
  cost_usd numeric(14, 6),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, run_id, step),
  unique (organization_id, run_id, key)
) partition by range (run_id);

-- What people read. Append-only; body is JSON text that is joined on reading and never parsed.
create table log_entries (
  organization_id bigint not null,
  run_id bigint not null,
  seq int not null,
  created_at timestamptz not null default clock_timestamp(),
  message_type text not null,
  body json not null,
  primary key (organization_id, run_id, seq)
) partition by range (run_id);

-- A partition for every 100,000 runs, made ahead of need; retention will drop whole partitions.
create function make_partitions(last_run_id bigint) returns void language plpgsql as $$
declare parent text; n bigint;
begin
  for n in 0 .. last_run_id / 100000 + 1 loop
    foreach parent in array array['steps', 'log_entries'] loop
      if to_regclass(format('%s_%s', parent, n)) is null then
        execute format('create table if not exists %I partition of %I for values from (%s) to (%s)',
          format('%s_%s', parent, n), parent, n * 100000, (n + 1) * 100000);
      end if;
    end loop;
  end loop;
end $$;
select make_partitions(0);

-- What a run does outside (a push, a pull request): intended before it is done, settled after. Asked first on takeover.
create table effects (
  organization_id bigint not null,
  run_id bigint not null,
  key text not null,
  kind text not null check (kind in ('push', 'pull')),
  state text not null check (state in ('intended', 'done', 'refused')),
  request jsonb not null,
  result jsonb,
  lease_id uuid not null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (organization_id, run_id, key),
  foreign key (organization_id, run_id) references runs
);

create table pulls (
  organization_id bigint not null,
  id bigint generated always as identity (maxvalue 9007199254740991),
  repo_id bigint not null,
  number int not null,
  run_id bigint,
  title text not null,
  body text not null,
  head_branch text not null,
  base_branch text not null,
  head_commit text not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  merged boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, repo_id, number),
  foreign key (organization_id, repo_id) references repos
);
create unique index pulls_one_open on pulls (organization_id, repo_id, head_branch) where state = 'open';
create index pulls_by_run on pulls (organization_id, run_id) where run_id is not null;
