-- Entries of a run's log that are in the blob store and not in log_entries any more: always the first ones, without a hole. The row is
-- written in the transaction that deletes the entries.
create table log_archives (
  organization_id bigint not null,
  run_id bigint not null,
  first_seq integer not null,
  last_seq integer not null check (last_seq >= first_seq),
  -- Which types of entries are in it: who looks for others need not open it.
  message_types text[] not null,
  sha256 text not null,
  primary key (organization_id, run_id, last_seq),
  foreign key (organization_id, run_id) references runs (organization_id, id),
  foreign key (organization_id, sha256) references blobs (organization_id, sha256)
);
create index log_archives_by_blob on log_archives (organization_id, sha256);

-- After how many days an organization archives the logs of runs that ended, and up to which of them it did.
create table log_archiving (
  organization_id bigint primary key references organizations (id),
  days integer not null check (days >= 1),
  done_until timestamptz not null default '-infinity',
  done_run_id bigint not null default 0,
  due_at timestamptz not null default now()
);
create index log_archiving_by_time on log_archiving (due_at);

-- What a log holds is counted as it is written, and stays counted: its archive is not counted once more.
alter table blobs drop constraint blobs_kind_check;
alter table blobs add constraint blobs_kind_check check (kind in ('artifacts', 'checkpoints', 'images', 'logs', 'log_archives'));

create or replace function count_blob() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  blob blobs := case when tg_op = 'INSERT' then new else old end;
begin
  if blob.kind = 'log_archives' then return null; end if;
  perform count_storage(blob.organization_id, 'organization', blob.organization_id, blob.kind,
    case when tg_op = 'INSERT' then blob.bytes else -blob.bytes end);
  return null;
end $$;
