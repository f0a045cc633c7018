-- Many machines. A run is taken only by a worker that has all labels of its repository, or where the repository has none,
-- of its organization. `place`: the folder where a worker keeps its sandboxes; workers of one place find each other's.
alter table organizations add column labels text[] not null default '{}';
alter table repos add column labels text[] not null default '{}';
alter table run_heads add column labels text[] not null default '{}';
alter table workers
  add column labels text[] not null default '{}',
  add column place text not null default '';

create function labels_wanted(organization bigint, repo bigint) returns text[] language sql stable as $$
  select coalesce(
    (select nullif(r.labels, '{}') from repos r where r.organization_id = organization and r.id = repo),
    (select o.labels from organizations o where o.id = organization), '{}')
$$;

-- Why a run of these labels waits: for room, or for a worker that may take it at all. Workers belong to no organization,
-- so whoever asks is told this and no more.
create function wait_reason(wanted text[]) returns text language sql stable security definer set search_path from current as $$
  select case when exists (select from workers w where w.alive_until > now() and not w.draining and w.labels @> wanted)
    then 'capacity' else 'no_worker' end
$$;

-- A new run is given its labels as it is made, a queued one with each change of them, and one that had ended here.
create function renew_run_labels() returns trigger language plpgsql as $$
begin
  new.labels := labels_wanted(new.organization_id,
    (select repo_id from runs where organization_id = new.organization_id and id = new.run_id));
  return new;
end $$;
create trigger run_heads_labels before update of status on run_heads
  for each row when (new.status = 'queued' and old.status in ('completed', 'failed', 'cancelled')) execute function renew_run_labels();

-- A git token without a repository is for the run's own. All tokens of a lease end with it, whatever ends it.
alter table credentials drop constraint credentials_check1;
alter table credentials add constraint credentials_git_check
  check (kind <> 'git' or (organization_id is not null and run_id is not null and lease_id is not null)) not valid;
create index credentials_by_lease on credentials (lease_id) where kind = 'git' and revoked_at is null;

create function revoke_lease_tokens() returns trigger language plpgsql as $$
begin
  update credentials set revoked_at = now() where lease_id = old.lease_id and kind = 'git' and revoked_at is null;
  return null;
end $$;
create trigger run_heads_lease_ended after update of lease_id on run_heads
  for each row when (old.lease_id is not null and old.lease_id is distinct from new.lease_id) execute function revoke_lease_tokens();
