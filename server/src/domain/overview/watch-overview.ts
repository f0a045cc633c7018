import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { readOverview, type Overview } from './read-overview.ts'

/** Answers how the service stands, at most `overviewKeptMs` old, however many ask. */
export type WatchOverview = () => Promise<Overview>

/**
 * Runs that nobody takes are told of only when two looks after each other see them: between a slot that falls free and
 * the next claim there is always a moment that looks the same.
 */
export function watchOverview(db: Db, nowMs = () => performance.now()): WatchOverview {
  let looking: Promise<Overview> | undefined
  let lookedAt = -Infinity
  let hadUntaken = false
  const look = async () => {
    const seen = await readOverview(db)
    const isConfirmed = hadUntaken
    hadUntaken = seen.untaken > 0
    return isConfirmed ? seen : { ...seen, untaken: 0 }
  }
  return () => {
    const now = nowMs()
    if (looking && now - lookedAt < limits.overviewKeptMs) return looking
    lookedAt = now
    const begun = look()
    looking = begun
    // What failed is not kept; whoever waits for it is told.
    begun.catch(() => {
      if (looking === begun) looking = undefined
    })
    return begun
  }
}
