-- The first log entry that tells of a step; null: none does. What an answer cites is found by it.
alter table steps add column seq integer;
