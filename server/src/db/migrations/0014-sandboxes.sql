-- What ran where, and how its limits were held there; and what an organization requires of the sandboxes of its runs
-- (`sandbox_require` of its settings).
create table sandboxes (
  organization_id bigint not null,
  id bigint generated always as identity,
  run_id bigint not null,
  -- It runs as long as this is the run's lease and it has not ended.
  lease_id uuid not null,
  provider text not null,
  worker text not null,
  enforcement jsonb not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  end_reason text,
  primary key (organization_id, id),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade
);
create index on sandboxes (organization_id, run_id, id);

-- How it holds the limits of its sandboxes; null of a worker that does not say so.
alter table workers add column enforcement jsonb;

create function holds_walls(required jsonb, given jsonb) returns boolean language sql immutable as $$
  select coalesce(bool_and(array_position(ranks, given->>name) >= array_position(ranks, wanted)), true)
  from jsonb_each_text(required) as r(name, wanted), (values (array['none', 'polled', 'per-process', 'kernel'])) as v(ranks)
$$;

-- How a worker that may take runs of these labels holds its limits, where none of them holds what is required; null where
-- one does, and while there is none.
create function lacking_walls(required jsonb, wanted text[]) returns jsonb
language sql stable security definer set search_path from current as $$
  select case when not bool_or(w.enforcement is null or holds_walls(required, w.enforcement)) then max(w.enforcement::text)::jsonb end
  from workers w where w.alive_until > now() and not w.draining and w.labels @> wanted
$$;
