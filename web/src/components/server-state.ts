import type { QueryClient } from '@tanstack/react-query'
import { RunwrightError } from '@runwright/sdk'
import { useSyncExternalStore } from 'react'

/** How often an unreachable server is tried again. */
const retryMs = 2_000

let isAway = false
let back: PromiseWithResolvers<void> | undefined
const listeners = new Set<() => void>()

/** Whether the last thing that was asked of the server never reached it. */
export const useIsServerAway = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isAway,
  )

/** Takes note of an error that may mean that the server is away; what it answered itself does not. */
export function noticeServerError(error: unknown, queries: QueryClient): void {
  if (error instanceof RunwrightError || isAway) return
  void untilServerAnswers().then(() => queries.invalidateQueries())
}

/** Resolves as soon as the server answers; at once where it does. The pages say that it is away until then. */
export async function untilServerAnswers(): Promise<void> {
  if (back) return back.promise
  back = Promise.withResolvers<void>()
  while (!(await answers())) {
    tell(true)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
  tell(false)
  back.resolve()
  back = undefined
}

async function answers(): Promise<boolean> {
  try {
    // A proxy that finds no server behind it answers in its place.
    const { status } = await fetch('/favicon.svg', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    return status < 500
  } catch {
    return false
  }
}

function tell(next: boolean): void {
  if (isAway === next) return
  isAway = next
  for (const listener of listeners) listener()
}
