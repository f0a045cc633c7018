-- Full pages of logs as they are sent, compressed (zstd): 100 entries, joined by commas. Made at the end of a turn; a page
-- that is not here is put together from its entries, which stay the truth.
create table log_pages (
  organization_id bigint not null,
  run_id bigint not null,
  page integer not null,
  size integer not null,
  body bytea not null,
  primary key (organization_id, run_id, page),
  foreign key (organization_id, run_id) references runs
);
alter table log_pages alter column body set storage external;
