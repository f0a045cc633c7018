-- An organization that was deleted: nobody is a member of it any more, and from `empty_at` on it is emptied, until its row goes, too.
alter table organizations add column deleted_at timestamptz;
alter table organizations add column empty_at timestamptz;
create index organizations_to_empty on organizations (empty_at) where empty_at is not null;

-- A person whose account was deleted: a number, by which what others keep refers to them.
alter table users add column deleted_at timestamptz;

-- What a membership takes along.
create index pull_reviewers_by_member on pull_reviewers (organization_id, user_id);
