-- What happened to runs, for whoever must not miss it: the organization's stream, later webhooks. Kept for some hours.
-- Rows of transactions that run at the same time become visible in any order, so an id is no cursor: a reader takes the
-- rows whose xid lies below the oldest transaction still at work, and goes on from that xid.
create table events (
  organization_id bigint not null,
  id bigint generated always as identity (maxvalue 9007199254740991),
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('run.created', 'run.status_changed')),
  run_id bigint not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index events_by_xid on events (organization_id, xid, id);
create index events_by_time on events (created_at);

-- Written by a trigger, so that no statement that moves a run can forget it. It writes for whoever moves the run,
-- whatever else they may see.
create function record_run_event() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into events (organization_id, kind, run_id, data)
  values (new.organization_id, case tg_op when 'INSERT' then 'run.created' else 'run.status_changed' end, new.run_id,
    jsonb_build_object('status', new.status, 'turn', new.turn));
  return null;
end $$;
create trigger run_heads_created after insert on run_heads
  for each row execute function record_run_event();
create trigger run_heads_status_changed after update of status on run_heads
  for each row when (old.status is distinct from new.status) execute function record_run_event();

-- Tickets let a browser open one stream: whoever deletes the row has used it. Losing them in a crash costs a retry.
create unlogged table stream_tickets (
  digest bytea primary key,
  organization_id bigint not null,
  credential_id bigint not null,
  expires_at timestamptz not null
);
create index stream_tickets_by_end on stream_tickets (expires_at);
