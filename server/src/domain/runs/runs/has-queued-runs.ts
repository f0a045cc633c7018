import { one, type Db } from '#db/pool.ts'

/** False where no run waits, of any organization, so that only a notification brings one; true may be wrong. */
export async function hasQueuedRuns(db: Db): Promise<boolean> {
  const { has } = await one<{ has: boolean }>(db, look)
  return has
}

const look = {
  name: 'has-queued-runs',
  text: `select exists (select from run_slots where queued_labels <> '{}') as has`,
}
