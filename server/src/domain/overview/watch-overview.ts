import { limits } from '#base/limits.ts'
import { lookSeldom } from '#base/look-seldom.ts'
import type { Db } from '#db/pool.ts'
import { readOverview, type Overview } from './read-overview.ts'

/** Answers how the service stands, at most `overviewKeptMs` old, however many ask. */
export type WatchOverview = () => Promise<Overview>

/**
 * Runs that nobody takes are told of only when two looks after each other see them: between a slot that falls free and
 * the next claim there is always a moment that looks the same.
 */
export function watchOverview(db: Db, nowMs?: () => number): WatchOverview {
  let hadUntaken = false
  const look = async () => {
    const seen = await readOverview(db)
    const isConfirmed = hadUntaken
    hadUntaken = seen.untaken > 0
    return isConfirmed ? seen : { ...seen, untaken: 0 }
  }
  return lookSeldom(limits.overviewKeptMs, look, nowMs)
}
