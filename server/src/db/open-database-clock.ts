import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock, type Clock } from '#base/clock.ts'
import type { Db } from './pool.ts'
import { readClock, type ClockReading } from './read-clock.ts'

export type DatabaseClock = Clock & Disposable & { look(): Promise<void> }

const LOOK_MS = 30_000
/** A start waits no longer than this for the first look. */
const FIRST_MS_MAX = 1_000
/** Two clocks that differ by less drift apart, and are not set: so the time makes no small steps back. */
const DRIFT_MS_MAX = 100

/** What time the database had, and when this process saw that, on a clock that nobody sets. */
type Seen = Omit<ClockReading, 'unsureMs'>

/**
 * The time as the database has it, which is the same for all processes. It is looked at now and then, and counted on from
 * there; until it was seen once, the time is that of this machine. Never rejects; a `look` does.
 */
export async function openDatabaseClock(db: Db): Promise<DatabaseClock> {
  let seen: Seen | undefined
  const nowMs = (at = performance.now()) => (seen ? seen.timeMs + at - seen.atMs : systemClock.now().getTime())

  async function look(): Promise<void> {
    const { timeMs, atMs, unsureMs } = await readClock(db, () => performance.now())
    if (!seen || Math.abs(timeMs - nowMs(atMs)) > unsureMs + DRIFT_MS_MAX) seen = { timeMs, atMs }
  }

  const lookIfItAnswers = () => look().catch(() => {})
  const timer = setInterval(() => void lookIfItAnswers(), LOOK_MS).unref()
  await Promise.race([lookIfItAnswers(), sleep(FIRST_MS_MAX, undefined, { ref: false })])
  return { now: () => new Date(nowMs()), look, [Symbol.dispose]: () => clearInterval(timer) }
}
