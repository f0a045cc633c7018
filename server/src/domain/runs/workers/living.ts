/** Any number that nothing else locks with a second one; the second is a worker's id, for as long as its session lasts. */
export const workerLockClass = 727_002

/** Selects the workers `w` that are alive: their lease has not ended, and neither has their session. */
export const living = `
  select from workers w
  where w.alive_until > now() and exists (
    select from pg_locks l where l.locktype = 'advisory' and l.classid = ${workerLockClass} and l.objid = w.id::oid and l.granted
      and l.database = (select oid from pg_database where datname = current_database()))`
