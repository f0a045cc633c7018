-- Row security holds for the owner of the tables too, who is the service's login: by a policy that lets it see all, which
-- is what claims, sweeps and sign-in need, and which anybody can read in the catalog. What a table is missing is added
-- table by table, each in a transaction of its own (db/protect-tables.ts), so that no two locks wait for each other.

-- The login becomes the tenant where it says so; that it inherited the tenant's rights would add its policies to each plan.
create or replace function become_tenant() returns void language plpgsql as $$
declare
  is_new boolean := current_setting('server_version_num')::int >= 160000;
  needed text := format(e'  create role runwright_tenant nologin;\n  grant runwright_tenant to %I;', current_user);
begin
  if not exists (select from pg_roles where rolname = 'runwright_tenant') then
    begin
      create role runwright_tenant nologin;
    exception when duplicate_object or unique_violation then null; -- for another database of this server, just now
    end;
  end if;
  -- Since PostgreSQL 16 being a member is one thing, and being allowed to become the role another.
  if not pg_has_role(current_user, 'runwright_tenant', case when is_new then 'SET' else 'MEMBER' end) then
    execute format('grant runwright_tenant to %I%s', current_user, case when is_new then ' with inherit false, set true' end);
  end if;
exception when insufficient_privilege then
  raise exception using message = format(
    e'the user "%s" of DATABASE_URL may not set up the role that keeps organizations apart. Have an administrator of the database run, once (the first line only if there is no such role yet):\n%s',
    current_user, needed);
end $$;

-- Tables with rows of organizations. Partitions are left out: they are reached through their parent.
create function tenant_tables() returns table (name regclass, relname name, condition text, rights text)
language sql stable set search_path from current as $$
  select c.oid::regclass, c.relname,
    case when c.relname = 'organizations' then 'id = (select current_organization())'
      when c.relname = 'users' then 'exists (select from memberships m where m.user_id = id)'
      else 'organization_id = (select current_organization())' end,
    case c.relname when 'organizations' then 'select, update' when 'users' then 'select' when 'log_entries' then 'select, insert'
      else 'select, insert, update, delete' end
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and (c.relname in ('organizations', 'users') or exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
$$;

-- Those that are missing any of it: never covered, restored without their roles, or given to another owner.
create function unprotected_tables() returns setof text language sql stable set search_path from current as $$
  select t.name::text from tenant_tables() t join pg_class c on c.oid = t.name
  where not c.relrowsecurity or not c.relforcerowsecurity
    or not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant')
    or not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'service' and p.polroles = array[c.relowner])
  order by 1
$$;

create function protect_table(wanted regclass) returns void language plpgsql set search_path from current as $$
declare
  this record;
  sequence regclass;
begin
  select t.*, pg_get_userbyid(c.relowner) as owner into this
  from tenant_tables() t join pg_class c on c.oid = t.name where t.name = wanted;
  if not found then return; end if;
  if not exists (select from pg_policy p where p.polrelid = wanted and p.polname = 'service') then
    execute format('create policy service on %s to %I using (true)', this.name, this.owner);
  else
    execute format('alter policy service on %s to %I', this.name, this.owner);
  end if;
  execute format('alter table %s enable row level security', this.name);
  execute format('alter table %s force row level security', this.name);
  if exists (select from pg_policy p where p.polrelid = wanted and p.polname = 'tenant') then return; end if;
  execute format('create policy tenant on %s to runwright_tenant using (%s)', this.name, this.condition);
  execute format('grant %s on %s to runwright_tenant', this.rights, this.name);
  -- Numbers of repositories are drawn before their rows are made.
  for sequence in
    select d.objid::regclass from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
    where d.refobjid = this.name and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
  loop
    execute format('grant usage on sequence %s to runwright_tenant', sequence);
  end loop;
end $$;

-- What is not a table's: the tenant's role, and what functions that run as the owner could be led astray by. A function made
-- later is covered from the next start on. The tables of sessions come last, where nobody looks first for a name.
create function protect_database() returns void language plpgsql as $$
declare
  here text := current_schema();
  path text := format('pg_catalog, %I, pg_temp', current_schema());
  astray regprocedure;
begin
  perform become_tenant();
  if not has_schema_privilege('runwright_tenant', here, 'usage') then
    execute format('grant usage on schema %I to runwright_tenant', here);
  end if;
  -- Read by a trigger, for whoever changes a run's status.
  if not has_table_privilege('runwright_tenant', 'run_transitions', 'select') then
    grant select on run_transitions to runwright_tenant;
  end if;
  for astray in
    select p.oid::regprocedure from pg_proc p where p.pronamespace = here::regnamespace and p.prosecdef
      and not coalesce(p.proconfig @> array['search_path=' || path], false)
  loop
    execute format('alter function %s set search_path = %s', astray, path);
  end loop;
  -- In a database that belongs to somebody else, that is the owner's to do; `doctor` says where it has not been done.
  begin
    if has_database_privilege('runwright_tenant', current_database(), 'temporary') then
      execute format('revoke temporary on database %I from public, runwright_tenant', current_database());
    end if;
    if has_schema_privilege('runwright_tenant', here, 'create') then
      execute format('revoke create on schema %I from public, runwright_tenant', here);
    end if;
  exception when insufficient_privilege then null;
  end;
end $$;

-- As processes of the version before call it.
create or replace function protect_tenants() returns void language plpgsql as $$
declare
  missing text;
begin
  perform protect_database();
  for missing in select unprotected_tables() loop
    perform protect_table(missing::regclass);
  end loop;
end $$;

revoke all on function tenant_tables(), unprotected_tables(), protect_table(regclass), protect_database(), protect_tenants() from public;
