-- By which remote workers are let in, and whose runs each may take: those of one organization, or of all where none is named, which only
-- the operator of the service makes. `labels`: those that such a worker may have; null: any. One that is revoked is deleted.
create table worker_tokens (
  id bigint primary key generated always as identity,
  organization_id bigint references organizations (id),
  name text not null,
  digest bytea not null unique,
  key_mark bytea not null check (octet_length(key_mark) = 4),
  prefix text not null,
  last4 text not null,
  labels text[],
  created_by bigint references users (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index worker_tokens_of_organization on worker_tokens (organization_id);

-- A worker with `organization_id` takes the runs of that organization and no others.
alter table workers
  add column organization_id bigint references organizations (id),
  add column token_id bigint;

-- Runs of an organization that wants this are in no order of turns, as workers of all organizations take none of them. Claims of the
-- version before sort meanwhile.
alter table run_slots add column own_workers_only boolean not null default false;
create index run_slots_shared_turn on run_slots (served_at) where is_open and queued_labels <> '{}' and not own_workers_only;
drop index run_slots_turn;

-- Whether a worker of this organization, or of all where it has none, may take runs of that one.
create function may_serve(worker_organization bigint, organization bigint) returns boolean language sql stable as $$
  select case when worker_organization is not null then worker_organization = organization
    else not coalesce((select s.own_workers_only from run_slots s where s.organization_id = organization), false) end
$$;

-- These and those without an organization, which the version before calls, differ in whose workers they look at.
create function wait_reason(organization bigint, wanted text[]) returns text language sql stable security definer as $$
  select case
    when bool_or(w.unfit = '{}') then 'capacity'
    when count(*) > 0 then 'no_fit_worker'
    when not may_serve(null, organization) then 'no_own_worker'
    else 'no_worker' end
  from workers w
  where w.alive_until > now() and not w.draining and w.labels @> wanted and may_serve(w.organization_id, organization)
$$;
create function lacking_walls(required jsonb, organization bigint, wanted text[]) returns jsonb language sql stable security definer as $$
  select case when not bool_or(w.enforcement is null or holds_walls(required, w.enforcement)) then max(w.enforcement::text)::jsonb end
  from workers w
  where w.alive_until > now() and not w.draining and w.labels @> wanted and may_serve(w.organization_id, organization)
$$;
