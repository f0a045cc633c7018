-- What the branches of a repository on the built-in host are protected by (domain/repos/branch-rule.ts); the first rule counts that
-- covers a branch.
alter table repos add column branch_rules json not null default '[]';
