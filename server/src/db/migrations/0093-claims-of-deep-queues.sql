-- A claim that costs the same however many runs wait.

-- False while a run waits for a time to come, such as to try its code host again; it is no part of the queue until then.
alter table run_heads add column is_due boolean not null default true;
update run_heads set is_due = false where status = 'queued' and not_before > now();

create function note_due() returns trigger language plpgsql as $$
begin
  new.is_due := new.not_before <= now();
  return new;
end $$;
create trigger run_heads_due before insert or update of not_before on run_heads
  for each row when (new.is_due <> (new.not_before <= now())) execute function note_due();

-- Of each organization and each set of labels, the next run is the first one here. Runs that were lost twice stand apart, as a
-- worker that holds one takes no other of them.
create index run_heads_ready on run_heads (organization_id, labels, (claims >= 2), priority desc, run_id)
  where status = 'queued' and is_due;
create index run_heads_not_due on run_heads (not_before) where status = 'queued' and not is_due;
-- Which the earlier version reads where this one reads run_heads_ready; it sorts meanwhile.
drop index run_heads_queue;

-- Organizations are served in the order of this index: the one that was served longest ago stands first, and one with nothing
-- to take, or with no slot free, is not in it. `queued_labels`: each set of labels that queued runs ask for, as text; it may
-- name some that none asks for any more, until `forget_queued_labels` has looked.
alter table run_slots
  add column is_open boolean not null generated always as (running < max_running) stored,
  add column queued_labels text[] not null default '{}';
update run_slots s set queued_labels = array(
  select distinct h.labels::text from run_heads h where h.organization_id = s.organization_id and h.status = 'queued' and h.is_due);
create index run_slots_turn on run_slots (served_at) where is_open and queued_labels <> '{}';

-- Whoever queues a run shares a lock on the organization's row until the commit, so that nobody takes its labels out who does
-- not see the run yet. Claims and ends of runs change the row beside it.
create function note_queued_labels() returns trigger language plpgsql security definer set search_path from current as $$
begin
  for tries in 1..5 loop
    perform from run_slots where organization_id = new.organization_id and new.labels::text = any(queued_labels) for key share;
    exit when found;
    update run_slots set queued_labels = array_append(queued_labels, new.labels::text)
    where organization_id = new.organization_id and new.labels::text <> all(queued_labels);
    exit when found;
  end loop;
  return null;
end $$;
create trigger run_heads_queued_labels after update of status, labels, not_before, is_due on run_heads
  for each row when (new.status = 'queued' and new.is_due
    and (old.status <> 'queued' or not old.is_due or old.labels <> new.labels)) execute function note_queued_labels();
create trigger run_heads_created_labels after insert on run_heads
  for each row when (new.status = 'queued' and new.is_due) execute function note_queued_labels();

-- Takes out the labels that no queued run asks for any more. Rows that somebody is at work with are left for the next time.
create function forget_queued_labels() returns void language plpgsql as $$
declare
  organization bigint;
begin
  for organization in
    select s.organization_id from run_slots s where s.queued_labels <> '{}' and exists (
      select from unnest(s.queued_labels) as q(labels) where not exists (
        select from run_heads h where h.organization_id = s.organization_id and h.labels = q.labels::text[] and h.status = 'queued' and h.is_due))
  loop
    perform from run_slots where organization_id = organization for update skip locked;
    continue when not found;
    -- A statement of its own sees what those have queued who shared the lock before.
    update run_slots s set queued_labels = array(
      select q.labels from unnest(s.queued_labels) as q(labels) where exists (
        select from run_heads h where h.organization_id = organization and h.labels = q.labels::text[] and h.status = 'queued' and h.is_due))
    where organization_id = organization;
  end loop;
end $$;
