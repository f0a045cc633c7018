-- One task that was given to several contestants, each of which is a run. Files of its judges are sealed: no run is given them.
create table comparisons (
  organization_id bigint not null references organizations (id),
  id bigint not null generated always as identity,
  user_id bigint not null references users (id),
  repo_id bigint,
  title text not null,
  prompt text not null,
  base_branch text,
  -- Commands, each run over every contestant's commit; and which files are put beside that before.
  judges jsonb not null,
  judge_files jsonb not null default '[]',
  sealed bytea,
  -- Which run was kept, whether its pull request is wanted, and why there is none.
  winner_run_id bigint,
  opens_pull boolean not null default false,
  problem text,
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index comparisons_by_user on comparisons (organization_id, user_id, id);
create index comparisons_by_repo on comparisons (organization_id, repo_id, id) where repo_id is not null;

create function count_judge_files() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  was comparisons := old;
  becomes comparisons := case when tg_op <> 'DELETE' then new end;
  organization bigint := coalesce(becomes.organization_id, was.organization_id);
begin
  perform count_storage(organization, 'organization', organization, 'artifacts',
    coalesce(octet_length(becomes.sealed), 0) - coalesce(octet_length(was.sealed), 0));
  return null;
end $$;
create trigger count_judge_files after insert or update of sealed or delete on comparisons for each row execute function count_judge_files();

create table contestants (
  organization_id bigint not null,
  comparison_id bigint not null,
  n integer not null,
  run_id bigint not null,
  name text not null,
  -- What of its work is judged, and how much that changes; null: more than is counted.
  commit text,
  files integer,
  additions integer,
  deletions integer,
  branch_deleted_at timestamptz,
  primary key (organization_id, comparison_id, n),
  unique (organization_id, run_id),
  foreign key (organization_id, comparison_id) references comparisons (organization_id, id) on delete cascade,
  foreign key (organization_id, run_id) references runs (organization_id, id)
);

-- A check may be a judge's: then it is one of the comparison, and not of the commit.
alter table checks add column comparison_id bigint;
alter table checks add column time_limit_ms integer;
alter table checks add column exit_code integer;
alter table checks add column duration_ms integer;
create index checks_of_comparison on checks (organization_id, comparison_id) where comparison_id is not null;

-- What a contestant has done is judged once it has ended.
create function judge_contestant() returns trigger language plpgsql set search_path from current as $$
begin
  perform request_job(organization_id, 'comparison', comparison_id::text) from contestants
  where organization_id = new.organization_id and run_id = new.run_id;
  return null;
end $$;
create trigger judge_contestant after update of status on run_heads for each row
  when (old.status is distinct from new.status and new.status in ('completed', 'failed', 'cancelled'))
  execute function judge_contestant();
