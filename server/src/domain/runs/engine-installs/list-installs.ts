import { rows, type Db } from '#db/pool.ts'
import { reportMinutes, type EngineInstall } from './engine-install.ts'

/** What the machines that are there have, by engine and machine. */
export async function listInstalls(db: Db): Promise<EngineInstall[]> {
  return rows<EngineInstall>(
    db,
    `select i.engine, machine, version, problem, reported_at,
       coalesce(claimed_until > now(), false)
         or coalesce(o.ordered_at > coalesce(handled_at, '-infinity'), false) as "isInstalling"
     from engine_installs i left join engine_orders o using (engine)
     where reported_at > now() - 2 * make_interval(mins => $1) or claimed_until > now()
     order by engine, machine, place`,
    [reportMinutes],
  )
}
