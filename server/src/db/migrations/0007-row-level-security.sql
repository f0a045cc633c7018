-- The net below the conditions that every query has itself: what the API reads and writes for an organization, it reads
-- and writes as the role runwright_tenant, which sees the rows of app.organization_id and no others. The login role owns
-- the tables and is not bound: it is the system that claims, sweeps, and serves what belongs to the whole instance.

-- Null where none is set, which no row has. A setting that a transaction has made is empty after it, not absent.
create function current_organization() returns bigint language sql stable as
  'select nullif(current_setting(''app.organization_id'', true), '''')::bigint';

create function become_tenant() returns void language plpgsql as $$
declare
  needed text := format(e'  create role runwright_tenant nologin;\n  grant runwright_tenant to %I;', current_user);
begin
  if not exists (select from pg_roles where rolname = 'runwright_tenant') then
    begin
      create role runwright_tenant nologin;
    exception when duplicate_object or unique_violation then null; -- for another database of this server, just now
    end;
  end if;
  -- Since PostgreSQL 16 being a member is one thing, and being allowed to become the role another.
  if not pg_has_role(current_user, 'runwright_tenant',
    case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end) then
    execute format('grant runwright_tenant to %I', current_user);
  end if;
exception when insufficient_privilege then
  raise exception using message = format(
    e'the user "%s" of DATABASE_URL may not set up the role that keeps organizations apart. Have an administrator of the database run, once (the first line only if there is no such role yet):\n%s',
    current_user, needed);
end $$;

-- Covers every table with an organization_id that is not covered yet. Run after each migration, and at each start: a table
-- that is made later is covered without a word, and so is a database that was restored on another server.
create function protect_tenants() returns void language plpgsql as $$
declare
  this record;
  sequence regclass;
begin
  perform become_tenant();
  if not has_schema_privilege('runwright_tenant', current_schema(), 'usage') then
    execute format('grant usage on schema %I to runwright_tenant', current_schema());
  end if;
  -- Partitions are left out: they are reached through their parent, whose policy would not hold for them.
  for this in
    select c.oid::regclass as name, c.relname,
      case when c.relname = 'organizations' then 'id = (select current_organization())'
        when c.relname = 'users' then 'exists (select from memberships m where m.user_id = id)'
        else 'organization_id = (select current_organization())' end as condition,
      case c.relname when 'organizations' then 'select, update' when 'users' then 'select' when 'log_entries' then 'select, insert'
        else 'select, insert, update, delete' end as rights
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname in ('organizations', 'users') or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant')
  loop
    execute format('alter table %s enable row level security', this.name);
    execute format('create policy tenant on %s to runwright_tenant using (%s)', this.name, this.condition);
    execute format('grant %s on %s to runwright_tenant', this.rights, this.name);
    -- Numbers of repositories are drawn before their rows are made.
    for sequence in
      select d.objid::regclass from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
      where d.refobjid = this.name and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    loop
      execute format('grant usage on sequence %s to runwright_tenant', sequence);
    end loop;
  end loop;
  -- Read by a trigger, for whoever changes a run's status.
  if not has_table_privilege('runwright_tenant', 'run_transitions', 'select') then
    grant select on run_transitions to runwright_tenant;
  end if;
end $$;

revoke all on function become_tenant(), protect_tenants() from public;
