-- One process looks which jobs have come due, and wakes the workers; they look by themselves now and then only.
create index jobs_due on jobs (due_at) where due_at is not null and claimed_until is null;

-- Whether anything is queued at all, also of organizations at their limits.
create index run_slots_queued on run_slots (organization_id) where queued_labels <> '{}';
