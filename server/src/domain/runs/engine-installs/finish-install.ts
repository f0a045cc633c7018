import type { Db } from '#db/pool.ts'
import type { InstallPlace } from './engine-install.ts'

export type FinishInstall = Pick<InstallPlace, 'engine' | 'place'> & { version: string | null; problem: string | null }

/** Says how an install has ended. Whoever wants another try asks again. */
export async function finishInstall(db: Db, { engine, place, version, problem }: FinishInstall): Promise<void> {
  await db.query(
    `update engine_installs set version = $3, problem = $4, handled_at = now(), claimed_until = null, reported_at = now()
     where engine = $1 and place = $2`,
    [engine, place, version, problem],
  )
}
