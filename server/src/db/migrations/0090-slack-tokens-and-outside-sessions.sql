-- By which somebody shows in Slack which member they are: one each, as a digest, for minutes.
create table slack_tokens (
  organization_id bigint not null,
  user_id bigint not null,
  digest bytea not null unique,
  expires_at timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);

-- Sessions of an agent on people's own machines, of which a program there reports. Each has a run that no worker holds.
create table outside_sessions (
  organization_id bigint not null,
  run_id bigint not null,
  user_id bigint not null,
  session_id text not null,
  -- What the agent has said since its last tool: a thought of the next one, or its answer.
  text text,
  -- Tools without a result yet, by their ids.
  calls jsonb not null default '{}',
  reported_at timestamptz not null default now(),
  primary key (organization_id, run_id),
  unique (organization_id, user_id, session_id),
  foreign key (organization_id, run_id) references runs (organization_id, id)
);
