import { one, type Db } from '#db/pool.ts'

/** Whether a key opens any repository. */
export async function isDeployKey(db: Db, fingerprint: string): Promise<boolean> {
  const statement = 'select exists (select from deploy_keys where fingerprint = $1) as "isKnown"'
  return (await one<{ isKnown: boolean }>(db, statement, [fingerprint])).isKnown
}
