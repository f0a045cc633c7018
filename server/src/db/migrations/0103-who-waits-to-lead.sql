-- Nothing is ever in it: who leads locks it, and who waits to lead waits for that lock, which unlike a wait for an advisory
-- lock takes no snapshot and so keeps no dead row from being removed. Backups need a column.
create table leadership (unused boolean);
