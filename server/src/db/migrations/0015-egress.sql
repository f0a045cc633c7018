-- What sandboxes may reach by name: the organization's for all its runs, a repository's besides for the runs there.
alter table organizations
  add column egress_allow text[] not null default '{}',
  add column egress_presets text[] not null default '{}';
alter table repos
  add column egress_allow text[] not null default '{}',
  add column egress_presets text[] not null default '{}';

-- What a run has asked of the network, as long as there is room; and how often it has asked at all.
create table egress_requests (
  organization_id bigint not null,
  run_id bigint not null,
  n int not null,
  -- Which of the run's sandboxes it was.
  lease_id uuid not null,
  at timestamptz not null default now(),
  name text not null,
  port int not null,
  allowed boolean not null,
  reason text check (allowed or reason is not null),
  sent_bytes bigint,
  received_bytes bigint,
  primary key (organization_id, run_id, n),
  foreign key (organization_id, run_id) references runs on delete cascade
);
create table egress_counts (
  organization_id bigint not null,
  run_id bigint not null,
  asked bigint not null,
  refused bigint not null,
  primary key (organization_id, run_id),
  foreign key (organization_id, run_id) references runs on delete cascade
) with (fillfactor = 50);
