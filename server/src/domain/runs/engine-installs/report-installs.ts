import type { Db } from '#db/pool.ts'
import { reportMinutes, type InstallPlace } from './engine-install.ts'

export type ReportInstalls = Pick<InstallPlace, 'place' | 'machine'> & { versions: Record<string, string | null> }

const forgottenDays = 1

/** Says what a machine has, where that is new or was said long ago, and forgets machines that are gone. */
export async function reportInstalls(db: Db, { place, machine, versions }: ReportInstalls): Promise<void> {
  await db.query(
    `with gone as (delete from engine_installs where reported_at < now() - make_interval(days => $5))
     insert into engine_installs as i (engine, place, machine, version)
     select engine, $1, $2, version from unnest($3::text[], $4::text[]) as found (engine, version)
     on conflict (engine, place) do update set machine = excluded.machine, version = excluded.version, reported_at = now()
     where (i.machine, i.version) is distinct from (excluded.machine, excluded.version)
       or i.reported_at < now() - make_interval(mins => $6)`,
    [place, machine, Object.keys(versions), Object.values(versions), forgottenDays, reportMinutes],
  )
}
