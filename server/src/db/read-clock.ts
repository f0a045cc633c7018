import { one, type Db } from './pool.ts'

/** The database's time, the moment by a clock of this process at which it was that, and how far that may be off; in milliseconds. */
export type ClockReading = { timeMs: number; atMs: number; unsureMs: number }

/** Reads the database's clock; `nowMs`: the clock of this process that it is told by. */
export async function readClock(db: Db, nowMs: () => number): Promise<ClockReading> {
  const begunMs = nowMs()
  const { timeMs } = await one<{ timeMs: number }>(
    db,
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as time_ms',
  )
  const unsureMs = (nowMs() - begunMs) / 2
  return { timeMs, atMs: begunMs + unsureMs, unsureMs }
}
