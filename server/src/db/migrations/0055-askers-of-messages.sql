-- Expand first: the previous version runs beside this schema.
-- Who has asked for it on a code host elsewhere, as that host knows them (`id`, `login`); null where nobody has.
alter table messages add column asker json;
