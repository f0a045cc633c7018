import { one, type Db } from '#db/pool.ts'

/** False where no run waits that such a worker may take, so that only a notification brings one; true may be wrong. */
export async function hasQueuedRuns(db: Db, { organizationId }: { organizationId: number | null }): Promise<boolean> {
  const { has } = await one<{ has: boolean }>(db, look, [organizationId])
  return has
}

const look = {
  name: 'has-queued-runs',
  text: `select exists (select from run_slots where queued_labels <> '{}'
    and case when $1::bigint is null then not own_workers_only else organization_id = $1 end) as has`,
}
