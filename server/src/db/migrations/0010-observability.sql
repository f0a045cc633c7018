-- What is measured and traced. `traceparent`: of the request that made the run. `queued_at`: since when it waits.
-- `lost_at`: when a worker that was lost with it gave its last sign of life; null once the run is claimed again.
alter table runs add column traceparent text;
alter table run_heads
  add column queued_at timestamptz not null default now(),
  add column lost_at timestamptz;

-- In a trigger, so that no statement that queues a run can forget it.
create function note_queued() returns trigger language plpgsql as $$
begin
  new.queued_at := now();
  return new;
end $$;
create trigger run_heads_queued before update of status on run_heads
  for each row when (new.status = 'queued' and old.status <> 'queued') execute function note_queued();

-- Few runs rest at any time, so counting them should not look at all that have ended.
create index run_heads_resting on run_heads (status) where status in ('waiting_for_user', 'paused');
