import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import type { Db } from './pool.ts'

const againMs = 500

export type WaitForDatabase = {
  /** After this it is given up. */
  waitMs: number
  /** Told once, when there is something to wait for. */
  onWait: (reason: string) => void
}

/**
 * Waits for a PostgreSQL that is not there yet: machines start in any order. Rejects with what was met with last, at once
 * where waiting would not help, as with a wrong password.
 */
export async function waitForDatabase(db: Db, { waitMs, onWait }: WaitForDatabase): Promise<void> {
  const until = performance.now() + waitMs
  for (let isTold = false; ; isTold = true) {
    try {
      await db.query('select 1')
      return
    } catch (error) {
      if (!isConnectionError(error)) throw error
      const { message, code } = error as NodeJS.ErrnoException
      const reason = message || code || 'no answer'
      if (performance.now() > until)
        throw new Error(`PostgreSQL cannot be reached: ${reason}. Start it, or fix DATABASE_URL.`, { cause: error })
      if (!isTold) onWait(reason)
      await sleep(againMs)
    }
  }
}
