-- A run's work tree as it was after a step, so that another machine can go on with it: a git pack in the blob store. It
-- holds what its commit needs beside the base commits, which the code host has. Gone as soon as the work is on its branch.
-- branch_commit: where the branch was when the turn began; a checkpoint is newer than the branch as long as it is there.
create table checkpoints (
  organization_id bigint not null,
  run_id bigint not null,
  n int not null,
  turn int not null,
  step int not null,
  commit text not null,
  base_commits text[] not null,
  branch_commit text,
  sha256 text not null,
  bytes bigint not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, run_id, n),
  foreign key (organization_id, run_id) references runs,
  foreign key (organization_id, sha256) references blobs
);
create index checkpoints_by_blob on checkpoints (organization_id, sha256);
