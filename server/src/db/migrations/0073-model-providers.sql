-- Model providers of organizations, each with its own key, sealed with the organization's data key. `name` is the first part of the names of
-- its models. One that was removed keeps its name, without its key: a run that names its models is told what became of them.
create table model_providers (
  organization_id bigint not null references organizations (id),
  id bigint not null generated always as identity,
  name text not null,
  kind text not null,
  base_url text,
  sealed bytea,
  models text[],
  input_usd double precision,
  output_usd double precision,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (organization_id, id),
  constraint model_providers_kind_check check (kind in ('anthropic', 'openai', 'openai_chat', 'google')),
  check ((input_usd is null) = (output_usd is null)),
  check (removed_at is null or sealed is null)
);

create unique index model_providers_name_key on model_providers (organization_id, name) where removed_at is null;
