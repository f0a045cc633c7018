-- Up to which size the log of a run is counted: it may grow so far without asking. Null: of a run from before, which is not known yet.
alter table run_heads add column log_held bigint;
alter table run_heads alter column log_held set default 0;

-- What one run's log may hold, as the operator's settings have it.
insert into storage_limits values ('log', 1073741824);

-- A log that grows beyond what is counted takes more, in the statement that writes: exactly what it needs where room is scarce,
-- and elsewhere some ahead, so that most appends lock no other row than their run's. A writer that may not be refused raises
-- log_held with log_bytes, and is counted with the next that may, or as the run ends; that gives back what was held in vain.
-- The organization's row comes before the run's, as with whoever else takes bytes.
create function take_log() returns trigger language plpgsql security definer set search_path from current as $$
declare
  is_bound boolean := new.status not in ('completed', 'failed', 'cancelled') or new.status = old.status;
  most bigint;
  room bigint;
  counted bigint;
  taken bigint;
  delta bigint;
begin
  if is_bound then
    select bytes into most from storage_limits where scope = 'log';
    if new.log_bytes > most then
      raise exception using errcode = 'RW003', message = format('The log of run %s may hold %s MiB, and this would make it %s MiB.',
        new.run_id, most / 1048576, (new.log_bytes + 1048575) / 1048576);
    end if;
  end if;
  select bytes into taken from storage
  where organization_id = new.organization_id and scope = 'organization' and id = new.organization_id for update;
  room := storage_limit(new.organization_id, 'organization') - coalesce(taken, 0);
  select bytes, logs into taken, counted from storage
  where organization_id = new.organization_id and scope = 'run' and id = new.run_id for update;
  room := least(room, storage_limit(new.organization_id, 'run') - coalesce(taken, 0));
  delta := new.log_bytes - coalesce(counted, 0);
  if is_bound and room - delta > 67108864 then delta := delta + 65536; end if;
  perform count_storage(new.organization_id, 'organization', new.organization_id, 'logs', delta, is_bound);
  perform count_storage(new.organization_id, 'run', new.run_id, 'logs', delta, is_bound);
  new.log_held := coalesce(counted, 0) + delta;
  return new;
end $$;
revoke all on function take_log() from public;

create trigger take_log before update of log_bytes, status on run_heads for each row
when (new.log_bytes > coalesce(new.log_held, old.log_bytes)
  or (new.status in ('completed', 'failed', 'cancelled') and old.status <> new.status and new.log_bytes > 0))
execute function take_log();
