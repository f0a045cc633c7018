-- Where the branches of all contestants begin; null until it is known.
alter table comparisons add column base_commit text;
