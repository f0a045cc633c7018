-- merge_commit, merge_base, merge_head: what a merge is about to make of the base branch, where that was, and what it takes
-- in; written before the branch moves, so that who comes after a crash finds out whether it has.
alter table pulls
  add column draft boolean not null default false,
  add column updated_at timestamptz not null default now(),
  add column merge_commit text,
  add column merge_base text,
  add column merge_head text,
  add column merged_by bigint,
  add column merged_at timestamptz;
create index pulls_by_repo on pulls (organization_id, repo_id, id);

-- path, line, side: null for what is said of the whole. head_commit: what its writer saw.
create table pull_comments (
  organization_id bigint not null,
  id bigint generated always as identity (maxvalue 9007199254740991),
  pull_id bigint not null,
  user_id bigint not null,
  body text not null,
  path text,
  line int,
  side text check (side in ('base', 'head')),
  head_commit text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, pull_id) references pulls,
  check ((path is null) = (line is null) and (path is null) = (side is null))
);
create index pull_comments_by_pull on pull_comments (organization_id, pull_id, id);

alter table events drop constraint events_kind_check,
  add constraint events_kind_check check (kind in ('run.created', 'run.status_changed', 'run.canary_found',
    'pull.closed', 'pull.reopened', 'pull.merged'));

create function record_pull_event() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into events (organization_id, kind, run_id, data)
  values (new.organization_id,
    case when new.merged then 'pull.merged' when new.state = 'closed' then 'pull.closed' else 'pull.reopened' end, new.run_id,
    jsonb_build_object('pull_id', new.id, 'number', new.number));
  return null;
end $$;
create trigger record_pull_event after update of state on pulls for each row
  when (old.state is distinct from new.state and new.run_id is not null) execute function record_pull_event();
