/** Any number that nothing else locks with a second one; the second is a worker's id, for as long as its session lasts. */
export const workerLockClass = 727_002

/** Selects the ids of workers that are dead: their lease has ended, or their session has. The locks are read once, however many workers there are. */
export const deadWorkers = `
  select w.id from workers w
  where w.alive_until <= statement_timestamp() or w.id::oid not in (
    select l.objid from pg_locks l where l.locktype = 'advisory' and l.classid = ${workerLockClass} and l.granted
      and l.database = (select oid from pg_database where datname = current_database()))`
