-- How many runs are queued, without reading them. Each change adds a row, so that nobody waits for the commit of another one, and
-- the sum of the rows is the length; `sum_queue_changes` puts those of each kind together. Whose length is read counts few rows.
create table queue_changes (
  organization_id bigint not null,
  labels text[] not null,
  status_detail text,
  is_due boolean not null,
  change integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create function note_queue_change() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if tg_op <> 'INSERT' and old.status = 'queued' then
    insert into queue_changes values (old.organization_id, old.labels, old.status_detail, old.is_due, -1);
  end if;
  if tg_op <> 'DELETE' and new.status = 'queued' then
    insert into queue_changes values (new.organization_id, new.labels, new.status_detail, new.is_due, 1);
  end if;
  return null;
end $$;
-- From here on until the commit nobody writes to runs, so none is counted twice or not at all.
create trigger run_heads_queue_created after insert on run_heads
  for each row when (new.status = 'queued') execute function note_queue_change();
create trigger run_heads_queue_deleted after delete on run_heads
  for each row when (old.status = 'queued') execute function note_queue_change();
create trigger run_heads_queue_changed after update of status, status_detail, labels, not_before, is_due on run_heads
  for each row when ((old.status = 'queued' or new.status = 'queued') and (old.status, old.labels, old.status_detail, old.is_due)
    is distinct from (new.status, new.labels, new.status_detail, new.is_due)) execute function note_queue_change();
insert into queue_changes
  select organization_id, labels, status_detail, is_due, count(*) from run_heads where status = 'queued' group by 1, 2, 3, 4;

create function sum_queue_changes() returns void language plpgsql as $$
begin
  if not exists (
    select from queue_changes group by organization_id, labels, status_detail, is_due having count(*) > 1 or sum(change) = 0) then return; end if;
  with gone as (delete from queue_changes returning *)
  insert into queue_changes
    select organization_id, labels, status_detail, is_due, sum(change) from gone group by 1, 2, 3, 4 having sum(change) <> 0;
end $$;

-- Of each set of labels, the run that has waited for longest is the first one here.
create index run_heads_waiting on run_heads (labels, queued_at) where status = 'queued';
