-- Whoever takes storage locks the row of its organization first. Where there was none yet, there was nothing to lock, and two who came
-- at once by way of different rows waited for each other. Each organization has its row from its beginning.
insert into storage (organization_id, scope, id) select id, 'organization', id from organizations on conflict do nothing;
