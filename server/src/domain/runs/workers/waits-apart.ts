/**
 * Organizations that have workers of their own, or want no others: few. Why the runs of all others wait is found for all of them
 * together, as those of the organization 0, which is nobody's.
 */
export const waitsApart = `apart as materialized (
    select organization_id from run_slots where own_workers_only
    union select organization_id from workers where organization_id is not null and alive_until > now())`

/** Whose workers the runs of an `organization_id` wait for. */
export const whose = 'case when organization_id in (select organization_id from apart) then organization_id else 0 end'
