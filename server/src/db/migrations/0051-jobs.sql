-- Work that waits for any worker, beside the runs' own queue (domain/hosts/jobs/). What a job is about keeps its own state in
-- its own table; a job says only when it is to be done, and by whom. It replaces eight queues, whose columns for that
-- (due_at, tries, claimed_until, claim_id, wakes) are no longer read.
create table jobs (
  organization_id bigint not null references organizations on delete cascade,
  id bigint generated always as identity,
  kind text not null,
  -- What of that kind it is about, such as the id of a row.
  ref text not null,
  -- Jobs of one key are done in order, one at a time.
  key text not null,
  -- Null: it was given up.
  due_at timestamptz,
  -- Since it last succeeded or was requested, this one included.
  tries int not null default 0,
  -- How often it was requested: what is requested while somebody is at work is done once more.
  requests int not null default 0,
  claim_id uuid,
  worker_id bigint,
  claimed_until timestamptz,
  -- Why the last try failed.
  problem text,
  gave_up_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  -- In this order it is no way to find the jobs of a kind, for which it would be a slow one.
  unique (organization_id, ref, kind),
  check ((due_at is null) = (gave_up_at is not null))
);
create index jobs_waiting on jobs (kind, organization_id, due_at, id) where due_at is not null;
create index jobs_by_key on jobs (organization_id, kind, key, id) where gave_up_at is null;
create index jobs_claimed on jobs (kind, organization_id) where claimed_until is not null;
create index jobs_given_up on jobs (organization_id, gave_up_at) where gave_up_at is not null;

-- Requests a job, in the transaction in which it comes up. One that waits is due at the earlier of both times; with
-- `postpones`, at the new one.
create function request_job(organization bigint, job_kind text, job_ref text, due timestamptz default now(), job_key text default null,
  postpones boolean default false) returns void language sql as $$
  insert into jobs as j (organization_id, kind, ref, key, due_at) values (organization, job_kind, job_ref, coalesce(job_key, job_ref), due)
  on conflict (organization_id, ref, kind) do update
  set due_at = case when postpones then excluded.due_at else least(j.due_at, excluded.due_at) end,
    requests = j.requests + 1, tries = 0, problem = null, gave_up_at = null
$$;

create or replace function await_reply() returns trigger language plpgsql set search_path from current as $$
declare
  reply record;
begin
  for reply in
    update run_replies set due_at = now(), tries = 0
    where organization_id = new.organization_id and run_id = new.run_id and is_awaited
    returning repo_id, subject
  loop
    perform request_job(new.organization_id, 'status_comment', concat_ws(' ', new.run_id, reply.repo_id, reply.subject));
  end loop;
  return null;
end $$;

-- Requests what waits in its own table and has no job: what a process of the version before has queued lately. A job that was
-- given up is there for longer than that.
create function adopt_work() returns void language sql as $$
  select request_job(w.organization_id, w.kind, w.ref, w.due, w.key) from (
    select organization_id, 'host_event' as kind, id::text as ref, due_at as due, concat_ws(' ', repo_id, subject) as key
      from host_events where done_at is null and created_at > now() - interval '7 days'
    union all select organization_id, 'delivery', id::text, due_at, null from webhook_deliveries
      where done_at is null and received_at > now() - interval '7 days'
    union all select organization_id, 'status_comment', concat_ws(' ', run_id, repo_id, subject), due_at, null
      from run_replies where due_at > now() - interval '7 days'
    union all select organization_id, 'review', concat_ws(' ', repo_id, subject), due_at, null
      from awaited_reviews where due_at > now() - interval '7 days'
    union all select organization_id, 'sync', id::text, sync_due_at, null from integrations where active
    union all select organization_id, 'check', id::text, queued_at, null
      from checks where command is not null and status <> 'completed'
  ) as w
  where not exists (select from jobs j where j.organization_id = w.organization_id and j.kind = w.kind and j.ref = w.ref)
  order by w.organization_id, w.kind, w.due, w.ref;
  with looked as (update pull_agents set due_at = null where due_at is not null returning organization_id, pull_id)
  select request_job(organization_id, 'fixer', pull_id::text) from looked;
$$;
select adopt_work();
