import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#base/limits.ts'
import { memoizeFor } from '#base/concurrency/memoize-for.ts'
import { DatabasePool } from '#db/database-pool.ts'
import type { Db } from '#db/pool.ts'
import { readOverview, type Overview } from './read-overview.ts'

/** Answers how the service stands, at most `overviewKeptMs` old, however many ask; rejects after `overviewMs`,
 *  and with `WritesRefused`. */
export type WatchOverview = () => Promise<Overview>

/** PostgreSQL does not write now, though it may answer: it is read-only, a standby, or its disk is full. */
export class WritesRefused extends Error {}

/**
 * Runs that nobody takes are told of only when two looks after each other see them: between a slot that falls free and
 * the next claim there is always a moment that looks the same.
 */
export function watchOverview(db: Db, nowMs?: () => number): WatchOverview {
  let hadUntaken = false
  const look = async () => {
    const seen = await Promise.race([readOverview(db), giveUp()]).catch((error: unknown) => error as Error)
    const refusal = db instanceof DatabasePool ? db.refusal : undefined
    if (refusal) throw new WritesRefused(refusal)
    if (seen instanceof Error) throw seen
    const isConfirmed = hadUntaken
    hadUntaken = seen.untaken > 0
    return isConfirmed ? seen : { ...seen, untaken: 0 }
  }
  return memoizeFor(limits.overviewKeptMs, look, nowMs)
}

/** Whoever asks has no use for an answer that comes later, such as from a database that has gone silent. */
async function giveUp(): Promise<never> {
  await sleep(limits.overviewMs, undefined, { ref: false })
  throw new Error('The database did not answer in time.')
}
