-- Who has pushed to a branch lately is read from what was told of it, also when that was worked off.
create index host_events_pushes on host_events (organization_id, repo_id, subject, id) where event ->> 'type' = 'push';
