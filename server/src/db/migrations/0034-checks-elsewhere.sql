-- What a check has printed so far, in pieces of the attempt at work; once it has ended, all of it is one blob. How many there
-- are the check says, so that who has lost it adds none.
create table check_log_pieces (
  organization_id bigint not null,
  check_id bigint not null,
  n int not null,
  bytes bytea not null,
  primary key (organization_id, check_id, n),
  foreign key (organization_id, check_id) references checks on delete cascade
);
alter table checks add column log_pieces int not null default 0;

-- What .runwright.yml lets the sandbox of a check reach besides, as it was where the check's base branch stood.
alter table sandboxes add column egress jsonb;

-- A token with which a worker on another machine reads one repository, for no run: it pushes nothing.
alter table credentials drop constraint credentials_git_check;
alter table credentials add constraint credentials_git_check check (kind <> 'git' or organization_id is not null
  and num_nulls(run_id, lease_id) in (0, 2) and (run_id is not null or repo_id is not null and push_branches = '{}')) not valid;
