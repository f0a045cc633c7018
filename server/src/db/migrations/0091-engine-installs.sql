-- What ADMINs have asked to be installed on all machines, and what each machine has.
create table engine_orders (
  engine text primary key,
  ordered_at timestamptz not null default now()
);

create table engine_installs (
  engine text not null,
  -- A folder of engines, by a name that no other has, and the machine that it is on.
  place text not null,
  machine text not null,
  -- Null: none that can be used.
  version text,
  problem text,
  -- When an order was carried out here the last time, whether it succeeded or not.
  handled_at timestamptz,
  -- Somebody installs it until then; prolonged as long as they do.
  claimed_until timestamptz,
  reported_at timestamptz not null default now(),
  primary key (engine, place)
);
