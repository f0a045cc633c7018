import { maybeOne, type Db } from '#db/pool.ts'
import type { InstallPlace } from './engine-install.ts'

const claimMinutes = 5
export const installRenewMs = (claimMinutes * 60_000) / 5

/** Takes an engine that is to be installed in a place; undefined where there is none, or somebody installs it there. */
export async function claimInstall(
  db: Db,
  { place, engines }: Pick<InstallPlace, 'place'> & { engines: string[] },
): Promise<string | undefined> {
  const claimed = await maybeOne<{ engine: string }>(
    db,
    `update engine_installs set claimed_until = now() + make_interval(mins => $3), problem = null
     where place = $1 and engine = (
       select i.engine from engine_installs i join engine_orders o using (engine)
       where i.place = $1 and i.engine = any($2) and o.ordered_at > coalesce(i.handled_at, '-infinity')
         and coalesce(i.claimed_until, '-infinity') < now()
       order by o.ordered_at limit 1 for update of i skip locked)
     returning engine`,
    [place, engines, claimMinutes],
  )
  return claimed?.engine
}

/** Says that it is still being installed. */
export async function renewInstall(db: Db, { engine, place }: Pick<InstallPlace, 'engine' | 'place'>): Promise<void> {
  await db.query(
    'update engine_installs set claimed_until = now() + make_interval(mins => $3) where engine = $1 and place = $2',
    [engine, place, claimMinutes],
  )
}
