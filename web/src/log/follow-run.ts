import { RunwrightError, type AgentRun } from '@runwright/sdk'
import { client, type RunIds } from '#base/api.ts'
import type { LogStore } from './log-store.ts'

/** An ended run may continue in another turn. The page is told when somebody resumes it; this is for when that was missed. */
const endedMs = 60_000
/** The service could not answer for a moment. */
const failedMs = 5_000

/** Thousands of entries may arrive at once: the page gets its turn this often. */
const busyMs = 12

export type FollowRun = RunIds & {
  store: LogStore
  signal: AbortSignal
  onRun: (run: AgentRun) => void
  /** Resolves when the run is known to have been resumed. */
  untilResumed: (signal: AbortSignal) => Promise<void>
}

const isLimited = (error: unknown) => error instanceof RunwrightError && error.status === 429

/** Puts a run's log into the store as it grows, turn after turn. Rejects when there is no such run, or nobody signed in. */
export async function followRun({
  organizationId,
  runId,
  store,
  signal,
  onRun,
  untilResumed,
}: FollowRun): Promise<void> {
  while (!signal.aborted) {
    const entries = client.runs.followLog(
      { org_id: organizationId, agent_run_id: runId },
      {
        skip: store.entries.length,
        signal,
        patienceMs: Number.POSITIVE_INFINITY,
        onStatus: (run) => {
          store.setConnection('there')
          if (!('prompt' in run)) return
          const whole = run as AgentRun
          onRun(whole)
          // A stream has the beginning of long texts; the page shows all of them.
          if (whole.truncated.length)
            void client.runs.getRun({ org_id: organizationId, agent_run_id: runId }).then(onRun, () => {})
        },
        onTool: (tool) => store.showTool(tool),
        onProgress: (progress) => store.showProgress(progress),
        onDelta: (delta) => store.showDelta(delta),
        onConnection: (isThere, error) => store.setConnection(isThere ? 'there' : isLimited(error) ? 'busy' : 'away'),
      },
    )
    let hasFailed = false
    try {
      let busySince = performance.now()
      for await (const entry of entries) {
        store.append(entry)
        if (performance.now() - busySince < busyMs) continue
        await giveTurn()
        busySince = performance.now()
      }
    } catch (error) {
      if (signal.aborted) return
      // What the service refuses is refused again; everything else may pass.
      if (error instanceof RunwrightError && error.status < 500) throw error
      hasFailed = true
    }
    if (signal.aborted) return
    store.endLive()
    // The end of a run was read over a connection, whatever came before it.
    if (!hasFailed) store.setConnection('there')
    store.setConnection(hasFailed ? 'away' : 'ended')
    const lookAgain = new Promise((resolve) => setTimeout(resolve, hasFailed ? failedMs : endedMs))
    await Promise.race([untilResumed(signal), lookAgain])
  }
}

/** Lets the page draw and take what people do. A timer, where browsers have nothing quicker, rests for some milliseconds. */
function giveTurn(): Promise<unknown> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))
}
