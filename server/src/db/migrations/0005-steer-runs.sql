-- What a run may be given besides its prompt, what it answers besides text, and how people steer it while it lasts.
-- pull_id: the pull request that it was told to go on with. names_parent, named_by_parent: which logs have their link.
alter table runs
  add column max_cost_usd double precision check (max_cost_usd >= 0),
  add column plan_approval boolean not null default false,
  add column output_schema json,
  add column result_json json,
  add column pull_id bigint,
  add column names_parent boolean not null default false,
  add column named_by_parent boolean not null default false;
create index runs_by_parent on runs (organization_id, parent_run_id) where parent_run_id is not null;

-- next_message: a number that was taken back is not given again. held_at: since when the run is paused or waits.
alter table run_heads
  add column next_message int not null default 2,
  add column held_at timestamptz;

-- Images of a message: [{"sha256", "media_type"}], each one a blob.
alter table messages add column images json not null default '[]';

-- What the agent asks of people. kind 'plan': a plan to approve.
create table questions (
  organization_id bigint not null,
  run_id bigint not null,
  n int not null,
  kind text not null default 'question' check (kind in ('question', 'plan')),
  text text not null,
  options json not null default '[]',
  answer text,
  answered_by bigint references users,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  primary key (organization_id, run_id, n),
  foreign key (organization_id, run_id) references runs,
  check ((answer is null) = (answered_at is null))
);

-- Big bytes. They lie in the blob store under the organization and their digest; a row says that they are there.
create table blobs (
  organization_id bigint not null references organizations,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, sha256)
);

-- Files that an agent left for people. A later turn may replace one of the same name.
create table artifacts (
  organization_id bigint not null,
  run_id bigint not null,
  name text not null,
  sha256 text not null,
  content_type text not null,
  turn int not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, run_id, name),
  foreign key (organization_id, run_id) references runs,
  foreign key (organization_id, sha256) references blobs
);
