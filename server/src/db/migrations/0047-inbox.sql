-- What a run has to tell people: it asks something, proposes a plan, has failed, or its pull request can be merged. `subject`
-- tells what it is about, so that it is told once: the number of the question, the turn, or the commit.
create table notifications (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('question', 'plan', 'failure', 'merge')),
  user_id bigint,
  run_id bigint not null,
  pull_id bigint,
  subject text not null,
  text text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade,
  foreign key (organization_id, pull_id) references pulls (organization_id, id) on delete cascade,
  check ((kind = 'merge') = (pull_id is not null))
);
create unique index notifications_once on notifications (organization_id, run_id, kind, coalesce(pull_id, 0), subject);
create index notifications_by_user on notifications (organization_id, user_id, id);
create index notifications_by_xid on notifications (organization_id, xid, id);
create index notifications_by_time on notifications (created_at);

-- Which kinds a person does not want to see; and lists of runs that they have given a name.
create table inbox_settings (
  organization_id bigint not null,
  user_id bigint not null,
  muted text[] not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create table views (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  name text not null,
  query text not null,
  primary key (organization_id, id),
  unique (organization_id, user_id, name),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);

-- The head at which a pull request was found ready to be merged, and since when it is.
alter table pulls add column ready_commit text, add column ready_at timestamptz;
-- Those that are open are looked at, so that it is known of them.
update pull_agents set due_at = least(due_at, now()) where (organization_id, pull_id) in (
  select organization_id, id from pulls where state = 'open');

alter table events drop constraint events_kind_check;
alter table events add constraint events_kind_check check (kind in (
  'run.created', 'run.status_changed', 'run.canary_found', 'pull.closed', 'pull.reopened', 'pull.merged', 'pull.ready_changed'));

-- Made where the status is written, so that nobody who ends or holds a run can forget it.
create function notify_of_run() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.status = 'failed' then
    insert into notifications (organization_id, kind, user_id, run_id, subject, text)
    select r.organization_id, 'failure', r.user_id, r.id, new.turn::text, left(coalesce(r.error->>'message', ''), 2000)
    from runs r where r.organization_id = new.organization_id and r.id = new.run_id
    on conflict do nothing;
  else
    insert into notifications (organization_id, kind, user_id, run_id, subject, text)
    select r.organization_id, q.kind, r.user_id, r.id, q.n::text, left(q.text, 2000)
    from questions q join runs r on r.organization_id = q.organization_id and r.id = q.run_id
    where q.organization_id = new.organization_id and q.run_id = new.run_id and q.turn = new.turn and q.answered_at is null
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger notify_of_run after update of status on run_heads for each row
  when (old.status is distinct from new.status and new.status in ('failed', 'waiting_for_user'))
  execute function notify_of_run();

create function notify_of_pull() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into events (organization_id, kind, run_id, data)
  values (new.organization_id, 'pull.ready_changed', new.run_id,
    jsonb_build_object('pull_id', new.id, 'number', new.number, 'ready', new.ready_commit is not null));
  if new.ready_commit is not null then
    insert into notifications (organization_id, kind, user_id, run_id, pull_id, subject, text)
    select r.organization_id, 'merge', r.user_id, r.id, new.id, new.ready_commit, left(new.title, 2000)
    from runs r where r.organization_id = new.organization_id and r.id = new.run_id
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger notify_of_pull after update of ready_commit on pulls for each row
  when (old.ready_commit is distinct from new.ready_commit and new.run_id is not null)
  execute function notify_of_pull();

-- Runs that wait already.
insert into notifications (organization_id, kind, user_id, run_id, subject, text)
select r.organization_id, q.kind, r.user_id, r.id, q.n::text, left(q.text, 2000)
from run_heads h
  join questions q on q.organization_id = h.organization_id and q.run_id = h.run_id and q.turn = h.turn and q.answered_at is null
  join runs r on r.organization_id = h.organization_id and r.id = h.run_id
where h.status = 'waiting_for_user';
