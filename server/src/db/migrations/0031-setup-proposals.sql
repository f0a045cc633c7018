-- How a repository is set up and tried, as a run has found it. Numbered per repository. evidence: [{command, exit_code,
-- duration_ms, tail}] of what was run in the end, all of it from a clean work tree. lockfiles: {path: sha256} at base_commit.
create table setup_proposals (
  organization_id bigint not null,
  repo_id bigint not null,
  n int not null,
  run_id bigint not null,
  turn int not null,
  state text not null check (state in ('proposed', 'accepted', 'superseded')),
  commands json not null,
  -- Null: nothing was found that passes.
  test_command text,
  notes text not null,
  evidence json not null,
  base_commit text,
  lockfiles json not null,
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  -- Null: by itself, as a setting says.
  accepted_by bigint,
  -- Since when the lock files at the default branch are others.
  outdated_at timestamptz,
  primary key (organization_id, repo_id, n),
  unique (organization_id, run_id, turn),
  foreign key (organization_id, repo_id) references repos on delete cascade,
  foreign key (organization_id, run_id) references runs
);
create unique index setup_proposals_one_accepted on setup_proposals (organization_id, repo_id) where state = 'accepted';

-- Whether what is found counts without a person's word; null: as the organization's setting says.
alter table repos add column accept_setup_commands boolean;

create index runs_finding_setup on runs (organization_id, repo_id, id) where task->>'kind' = 'find_setup';

-- How it stands with a repository's setup commands, in a word of the public API; empty: nobody has looked for any.
create function setup_status(of_organization bigint, of_repo bigint) returns text language sql stable as $$
  select case
    when h.status not in ('completed', 'failed', 'cancelled') then 'generating'
    when h.status in ('failed', 'cancelled') and p.run_id is distinct from r.id then 'failed'
    when p.outdated_at is not null then 'outdated'
    else coalesce(p.state, '') end
  from (select) nothing
  left join lateral (select id from runs where organization_id = of_organization and repo_id = of_repo and task->>'kind' = 'find_setup'
    order by id desc limit 1) r on true
  left join run_heads h on h.organization_id = of_organization and h.run_id = r.id
  left join lateral (select run_id, state, outdated_at from setup_proposals
    where organization_id = of_organization and repo_id = of_repo and state <> 'superseded' order by n desc limit 1) p on true
$$;
