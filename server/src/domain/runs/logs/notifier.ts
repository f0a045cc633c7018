import { limits } from '#base/limits.ts'
import { openPool } from '#db/pool.ts'
import type { Live } from './live.ts'

/** Where is said which runs have something new. Hints only: whoever listens also looks by itself from time to time. */
export const logChannel = 'logs'
/** Where a worker shows what the tool at work prints. */
export const progressChannel = 'progress'

/** Where a worker shows which tool starts and what is being written. */
export const liveChannel = 'live'

/** The tool at work and the end of its output so far; `isAgain`: as it was shown before, for who has come since. */
export type Progress = { runId: number; toolName: string | null; output: string; isAgain?: boolean }

export type Notifier = AsyncDisposable & {
  /** Says, after a commit, that a run's log or status has changed. Never waits, never fails. */
  notifyRun(runId: number): void
  /** Shows progress, masked already, and keeps that of a tool until it has ended. Never waits, never fails. */
  notifyProgress(progress: Progress): void
  /** Shows once more what tools at work here have printed, of these runs. Never waits, never fails. */
  repeatProgress(runIds: number[]): void
  /** The tool of this run has ended. */
  endProgress(runId: number): void
  /** Shows what happens, masked already and small enough for a notification. Never waits, never fails. */
  notifyLive(live: Live): void
}

/**
 * Gathers what this process has changed and shows, and says it at most every `announceMs`, on a connection of its own: a NOTIFY
 * inside the transactions that append would halve how many of them commit.
 */
export function openNotifier(databaseUrl: string): Notifier {
  const pool = openPool(databaseUrl, { connectionsMax: 1, name: 'runwright notifier' })
  const changed = new Set<number>()
  const atWork = new Map<number, Progress>()
  const waiting: { channel: string; payload: string }[] = []
  let saidAt = 0
  let timer: NodeJS.Timeout | undefined
  let saying: Promise<void> | undefined
  const sayAll = async () => {
    saidAt = performance.now()
    const runIds = [...changed]
    changed.clear()
    while (runIds.length)
      waiting.push({ channel: logChannel, payload: runIds.splice(0, limits.announcedRunsMax).join(',') })
    const batch = waiting.splice(0)
    const values = [batch.map(({ channel }) => channel), batch.map(({ payload }) => payload)]
    if (batch.length) await pool.query({ ...announce, values }).catch(() => {})
  }
  // What comes while one is under way goes with the next, in its order.
  const saySoon = () => {
    if (saying) return
    const waitMs = Math.max(0, saidAt + limits.announceMs - performance.now())
    timer ??= setTimeout(() => {
      timer = undefined
      saying = sayAll().finally(() => {
        saying = undefined
        if (changed.size + waiting.length > 0) saySoon()
      })
    }, waitMs)
  }
  const say = (channel: string, payload: string) => {
    waiting.push({ channel, payload })
    saySoon()
  }
  return {
    notifyRun: (runId) => {
      changed.add(runId)
      saySoon()
    },
    notifyProgress: (progress) => {
      if (progress.toolName !== null) atWork.set(progress.runId, progress)
      say(progressChannel, progressText(progress))
    },
    repeatProgress: (runIds) => {
      const shown = runIds.flatMap((runId) => atWork.get(runId) ?? [])
      for (const progress of shown) say(progressChannel, progressText({ ...progress, isAgain: true }))
    },
    endProgress: (runId) => void atWork.delete(runId),
    notifyLive: (live) => say(liveChannel, JSON.stringify(live)),
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer)
      await saying
      clearTimeout(timer)
      await sayAll()
      await pool.end()
    },
  }
}

/** Nothing is stored by it, so it does not wait for the disk, where those who store something would wait with it. */
const announce = {
  name: 'announce',
  text: `select pg_notify(channel, payload), set_config('synchronous_commit', 'off', true)
    from unnest($1::text[], $2::text[]) with ordinality as t (channel, payload, n) order by n`,
}

/** What a NOTIFY can carry; escapes make the bytes of an output hard to tell ahead, so its begin is cut until it fits. */
function progressText({ output, ...rest }: Progress): string {
  let kept = output
  for (;;) {
    const text = JSON.stringify({ ...rest, output: kept })
    if (Buffer.byteLength(text) <= limits.notifyBytesMax) return text
    kept = kept.slice(Math.ceil(kept.length / 4)).toWellFormed()
  }
}
