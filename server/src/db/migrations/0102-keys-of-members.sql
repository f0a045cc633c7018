-- Keys that members have of their own for a model provider of their organization, each sealed with the organization's data key: runs that
-- they start ask models with them. Nobody else may say where a key goes, so it is forgotten when its provider gets another address.
create table member_model_keys (
  organization_id bigint not null,
  model_provider_id bigint not null,
  user_id bigint not null,
  sealed bytea not null,
  last4 text not null,
  updated_at timestamptz not null default now(),
  primary key (organization_id, model_provider_id, user_id),
  foreign key (organization_id, model_provider_id) references model_providers (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index member_model_keys_by_user on member_model_keys (organization_id, user_id);

-- Runs ask its models with keys of members alone.
alter table model_providers add column member_keys_only boolean not null default false,
  add constraint model_providers_member_keys_check check (not member_keys_only or sealed is null);

create function forget_member_keys() returns trigger language plpgsql set search_path from current as $$
begin
  delete from member_model_keys where organization_id = new.organization_id and model_provider_id = new.id;
  return null;
end $$;
create trigger forget_member_keys after update of base_url, kind, removed_at on model_providers for each row
  when (old.base_url is distinct from new.base_url or old.kind <> new.kind or new.removed_at is not null)
  execute function forget_member_keys();
