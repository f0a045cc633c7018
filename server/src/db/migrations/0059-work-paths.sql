-- To which folders work trees are limited (domain/repos/work-paths.ts): of a repository, empty for no limit; and of a run, null
-- where it goes by its repository.
alter table repos add column paths text[] not null default '{}';
alter table runs add column paths text[];
