import type { AgentRun } from '@runwright/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import type { RunIds } from '#base/api.ts'
import { useWhileVisible } from '#ui/use-while-visible.ts'
import { followRun } from './follow-run.ts'
import { LogStore, type LogView } from './log-store.ts'

export type Log = LogView & { store: LogStore; fault: Error | null; wake: () => void }

/** The log of a run, live. */
export function useLog({ organizationId, runId }: RunIds): Log {
  const queries = useQueryClient()
  const [store] = useState(() => new LogStore())
  const [fault, setFault] = useState<Error | null>(null)
  const [alarm] = useState(makeAlarm)
  const view = useSyncExternalStore(store.subscribe, store.view)
  useWhileVisible(async (signal) => {
    signal.addEventListener('abort', () => {
      if (!navigator.onLine) store.setConnection('away')
    })
    try {
      await followRun({
        organizationId,
        runId,
        store,
        signal,
        onRun: (run) => putRun(run),
        untilResumed: alarm.wait,
      })
    } catch (error) {
      setFault(error as Error)
    }
  }, `log of ${organizationId}/${runId}`)
  const putRun = (run: AgentRun) => {
    const key = ['run', organizationId, runId]
    const before = queries.getQueryData<AgentRun>(key)
    queries.setQueryData(key, run)
    if (before?.status === run.status && before.turn === run.turn && before.status_detail === run.status_detail) return
    // What is shown beside the log changes with the status.
    void queries.invalidateQueries({ queryKey: key, predicate: ({ queryKey }) => queryKey.length > key.length })
  }
  return { ...view, store, fault, wake: alarm.ring }
}

/** One that rings while nobody waits is heard by whoever waits next. */
function makeAlarm() {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring: () => {
      if (wake) wake()
      else hasRung = true
    },
    wait: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const done = () => {
          hasRung = false
          wake = undefined
          resolve()
        }
        if (hasRung) return done()
        wake = done
        signal.addEventListener('abort', () => (wake = undefined), { once: true })
      }),
  }
}
