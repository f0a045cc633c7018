-- What an organization, each of its repositories and each of its runs take up, by kind, in bytes. Counted in the transaction that
-- takes them, which is refused where it would be more than the limit; given back as they are removed.
create table storage (
  organization_id bigint not null references organizations,
  scope text not null check (scope in ('organization', 'repo', 'run')),
  id bigint not null,
  git bigint not null default 0,
  artifacts bigint not null default 0,
  checkpoints bigint not null default 0,
  images bigint not null default 0,
  logs bigint not null default 0,
  snapshots bigint not null default 0,
  bytes bigint not null generated always as (git + artifacts + checkpoints + images + logs + snapshots) stored,
  -- Of a repository: when what it takes up is looked at next, and dead objects are collected.
  look_at timestamptz,
  primary key (organization_id, scope, id)
) with (fillfactor = 70);
create index storage_look_at on storage (look_at) where look_at is not null;

-- The operator's limits by scope, as the processes' settings have them; each says them anew as it starts.
create table storage_limits (scope text primary key, bytes bigint not null);
insert into storage_limits values ('organization', 107374182400), ('repo', 21474836480), ('run', 4294967296);

-- An organization's own: what the operator has granted it, and what it allows itself, which is never more.
alter table organizations add column storage_granted bigint check (storage_granted >= 0);
alter table organizations add column storage_max bigint check (storage_max >= 0);

-- What bytes are for, as they were first stored.
alter table blobs add column kind text not null default 'artifacts' check (kind in ('artifacts', 'checkpoints', 'images', 'logs'));

create function storage_limit(wanted_organization bigint, wanted_scope text) returns bigint
language sql stable security definer set search_path from current as $$
  select case wanted_scope when 'organization' then (
      select least(coalesce(o.storage_granted, l.bytes), o.storage_max) from organizations o where o.id = wanted_organization)
    else l.bytes end
  from (select (select bytes from storage_limits where scope = wanted_scope) as bytes) l
$$;

-- Of a scope. The row's lock lets takers in one after the other, so a limit is reached exactly once, however many there are.
create function count_storage(wanted_organization bigint, wanted_scope text, wanted_id bigint, kind text, delta bigint, is_bound boolean default true)
returns void language plpgsql security definer set search_path from current as $$
declare
  total bigint;
  most bigint;
begin
  if delta = 0 then return; end if;
  insert into storage as s (organization_id, scope, id, git, artifacts, checkpoints, images, logs, snapshots)
  values (wanted_organization, wanted_scope, wanted_id,
    greatest(0, case kind when 'git' then delta else 0 end), greatest(0, case kind when 'artifacts' then delta else 0 end),
    greatest(0, case kind when 'checkpoints' then delta else 0 end), greatest(0, case kind when 'images' then delta else 0 end),
    greatest(0, case kind when 'logs' then delta else 0 end), greatest(0, case kind when 'snapshots' then delta else 0 end))
  on conflict (organization_id, scope, id) do update set
    git = greatest(0, s.git + case kind when 'git' then delta else 0 end),
    artifacts = greatest(0, s.artifacts + case kind when 'artifacts' then delta else 0 end),
    checkpoints = greatest(0, s.checkpoints + case kind when 'checkpoints' then delta else 0 end),
    images = greatest(0, s.images + case kind when 'images' then delta else 0 end),
    logs = greatest(0, s.logs + case kind when 'logs' then delta else 0 end),
    snapshots = greatest(0, s.snapshots + case kind when 'snapshots' then delta else 0 end)
  returning bytes into total;
  if delta < 0 or not is_bound then return; end if;
  most := storage_limit(wanted_organization, wanted_scope);
  if total > most then
    raise exception using errcode = 'RW001', message = format('%s may store %s MiB, and this would make it %s MiB.',
      case wanted_scope when 'repo' then 'Repository ' || wanted_id when 'run' then 'Run ' || wanted_id else 'The organization' end,
      most / 1048576, (total + 1048575) / 1048576);
  end if;
end $$;

create function count_blob() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    perform count_storage(new.organization_id, 'organization', new.organization_id, new.kind, new.bytes);
  else
    perform count_storage(old.organization_id, 'organization', old.organization_id, old.kind, -old.bytes);
  end if;
  return null;
end $$;

-- A run's files, whether or not another run has left the same bytes.
create function count_artifact() returns trigger language plpgsql security definer set search_path from current as $$
declare
  before bigint := 0;
  after bigint := 0;
  is_bound boolean;
begin
  if tg_op <> 'INSERT' then
    select coalesce(max(bytes), 0) into before from blobs where organization_id = old.organization_id and sha256 = old.sha256;
    if tg_op = 'DELETE' then
      perform count_storage(old.organization_id, 'run', old.run_id, 'artifacts', -before);
      return null;
    end if;
  end if;
  select coalesce(max(bytes), 0), bool_and(kind <> 'logs') into after, is_bound
  from blobs where organization_id = new.organization_id and sha256 = new.sha256;
  -- What a log was cut from keeps no entry from being written.
  perform count_storage(new.organization_id, 'run', new.run_id, 'artifacts', after - before, coalesce(is_bound, false));
  return null;
end $$;

create function count_snapshot() returns trigger language plpgsql security definer set search_path from current as $$
declare
  before bigint := 0;
  after bigint := 0;
begin
  if tg_op <> 'INSERT' and old.state = 'ready' then before := coalesce(old.bytes, 0); end if;
  if tg_op <> 'DELETE' and new.state = 'ready' then after := coalesce(new.bytes, 0); end if;
  perform count_storage(case tg_op when 'DELETE' then old.organization_id else new.organization_id end, 'organization',
    case tg_op when 'DELETE' then old.organization_id else new.organization_id end, 'snapshots', after - before);
  return null;
end $$;

-- A log grows by its run's row alone; what it has come to is counted as a turn ends, and refuses nothing: it is there.
create function count_log(wanted_organization bigint, wanted_run bigint) returns void
language plpgsql security definer set search_path from current as $$
declare
  now_there bigint;
  counted bigint;
begin
  insert into storage (organization_id, scope, id) values (wanted_organization, 'run', wanted_run) on conflict do nothing;
  select logs into counted from storage where organization_id = wanted_organization and scope = 'run' and id = wanted_run for update;
  select log_bytes into now_there from run_heads where organization_id = wanted_organization and run_id = wanted_run;
  if now_there is null then return; end if;
  perform count_storage(wanted_organization, 'run', wanted_run, 'logs', now_there - counted, false);
  perform count_storage(wanted_organization, 'organization', wanted_organization, 'logs', now_there - counted, false);
end $$;

-- The organization's row first, as whoever takes bytes does.
create function forget_repo_storage(wanted_organization bigint, wanted_repo bigint) returns void
language plpgsql security definer set search_path from current as $$
declare
  counted bigint;
begin
  if current_organization() <> wanted_organization then raise insufficient_privilege; end if;
  perform from storage where organization_id = wanted_organization and scope = 'organization' and id = wanted_organization for update;
  delete from storage where organization_id = wanted_organization and scope = 'repo' and id = wanted_repo returning git into counted;
  if counted > 0 then
    perform count_storage(wanted_organization, 'organization', wanted_organization, 'git', -counted);
  end if;
end $$;

create trigger count_blob after insert or delete on blobs for each row execute function count_blob();
create trigger count_artifact after insert or delete or update of sha256 on artifacts for each row execute function count_artifact();
create trigger count_snapshot after insert or delete or update of state, bytes on snapshots for each row execute function count_snapshot();

-- What is there already.
insert into storage (organization_id, scope, id, artifacts, logs, snapshots)
select o.id, 'organization', o.id, coalesce((select sum(bytes) from blobs b where b.organization_id = o.id), 0),
  coalesce((select sum(log_bytes) from run_heads h where h.organization_id = o.id), 0),
  coalesce((select sum(bytes) from snapshots s where s.organization_id = o.id and s.state = 'ready'), 0)
from organizations o;
insert into storage (organization_id, scope, id, logs)
select organization_id, 'run', run_id, log_bytes from run_heads where log_bytes > 0;
insert into storage (organization_id, scope, id, artifacts)
select a.organization_id, 'run', a.run_id, sum(b.bytes) from artifacts a join blobs b using (organization_id, sha256) group by 1, 3
on conflict (organization_id, scope, id) do update set artifacts = excluded.artifacts;
insert into storage (organization_id, scope, id, look_at) select organization_id, 'repo', id, now() from repos where removed_at is null;

revoke all on function count_storage(bigint, text, bigint, text, bigint, boolean), count_blob(), count_artifact(),
  count_snapshot(), count_log(bigint, bigint) from public;
