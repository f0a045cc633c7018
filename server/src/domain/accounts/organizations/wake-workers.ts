import type { Db } from '#db/pool.ts'

/** What is said on the `runs` channel. A hint only: whoever sleeps also looks by itself from time to time. */
export type Wake =
  | { queued: true }
  | { jobs: true }
  | { engines: true }
  | { wanted: 'cancel'; runId: number }
  | { progressOf: number[] }

export const wakeChannel = 'runs'

/** Wakes sleeping workers when the transaction commits. */
export async function wakeWorkers(tx: Db, wake: Wake): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [wakeChannel, JSON.stringify(wake)])
}
