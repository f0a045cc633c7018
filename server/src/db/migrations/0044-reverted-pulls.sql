-- Which pull request this one undoes, of which one at a time is open; and who has deleted the branch of one that is merged.
alter table pulls
  add column reverts bigint,
  add column branch_deleted_at timestamptz,
  add column branch_deleted_by bigint,
  add foreign key (organization_id, reverts) references pulls (organization_id, id);
create index pulls_reverting on pulls (organization_id, reverts) where reverts is not null;
create unique index pulls_one_open_revert on pulls (organization_id, reverts) where state = 'open' and reverts is not null;
