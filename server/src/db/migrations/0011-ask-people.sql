-- An engine asks people in a step of its own kind; its question is found again by the step's key. A question belongs to its
-- turn: where a run goes on with the next one, it cannot be answered any more.
alter table steps drop constraint steps_kind_check,
  add constraint steps_kind_check check (kind in ('model', 'tool', 'note', 'ask'));
alter table questions add column key text, add column turn int not null default 1;
create unique index questions_by_key on questions (organization_id, run_id, key);
