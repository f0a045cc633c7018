-- Expand first: the previous version runs beside this schema.
-- Why a run waits for its code host; null where it does not. See domain/runs/host-wait.ts.
alter table run_heads add column host_wait jsonb;

-- A run that has waited long enough needs somebody, as one that has failed.
create or replace function notify_of_run() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.status in ('failed', 'paused') then
    insert into notifications (organization_id, kind, user_id, run_id, subject, text)
    select r.organization_id, 'failure', r.user_id, r.id, new.turn::text,
      left(coalesce(case when new.status = 'failed' then r.error->>'message' else new.host_wait->>'message' end, ''), 2000)
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
create or replace trigger notify_of_run after update of status on run_heads for each row
  when (old.status is distinct from new.status and (new.status in ('failed', 'waiting_for_user')
    or (new.status = 'paused' and new.status_detail = 'waiting_for_host')))
  execute function notify_of_run();
