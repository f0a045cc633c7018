-- Who is asked to review a pull request of the built-in host: as an owner of what it changes, or by a person. Whoever was taken
-- off stays here, so that no push asks them again. Of their reviews those after `asked_after` answer the request.
create table pull_reviewers (
  organization_id bigint not null,
  pull_id bigint not null,
  user_id bigint not null,
  reason text not null check (reason in ('code_owner', 'asked')),
  pattern text,
  requested_by bigint,
  requested_at timestamptz not null default now(),
  requests integer not null default 1,
  asked_after bigint not null default 0,
  removed_at timestamptz,
  primary key (organization_id, pull_id, user_id),
  foreign key (organization_id, pull_id) references pulls (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade,
  check ((reason = 'code_owner') = (pattern is not null))
);

-- What its base says of owners: the path of the file, whom it names that nobody here is, and what is wrong with it.
alter table pulls add column code_owners jsonb;

-- A request for a review is about a pull request, whoever opened it, and so of no run.
alter table notifications alter column run_id drop not null;
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('question', 'plan', 'failure', 'merge', 'review')) not valid;
alter table notifications drop constraint notifications_check;
alter table notifications add constraint notifications_check
  check ((kind in ('merge', 'review')) = (pull_id is not null) and (kind = 'review') = (run_id is null)) not valid;
create unique index notifications_of_reviews on notifications (organization_id, pull_id, user_id, subject) where kind = 'review';

-- In the transaction that asks, so that nobody is asked without being told, or told twice.
create function notify_of_reviewer() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into notifications (organization_id, kind, user_id, pull_id, subject, text)
  select p.organization_id, 'review', new.user_id, p.id, new.requests::text, left(p.title, 2000)
  from pulls p where p.organization_id = new.organization_id and p.id = new.pull_id and not exists (
    select from pull_reviews r where r.organization_id = p.organization_id and r.pull_id = p.id
      and r.user_id = new.user_id and r.run_id is null and r.id > new.asked_after)
  on conflict do nothing;
  return null;
end $$;
create trigger notify_of_reviewer after insert or update of requests on pull_reviewers for each row
  execute function notify_of_reviewer();
