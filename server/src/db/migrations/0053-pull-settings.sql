-- How agents go about their pull requests in a repository (domain/repos/pull-settings.ts): what is left out is as by default.
alter table repos add column pull_settings jsonb not null default '{}';
