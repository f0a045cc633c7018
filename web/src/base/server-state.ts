import type { QueryClient } from '@tanstack/react-query'
import { RunwrightError } from '@runwright/sdk'
import { useSyncExternalStore } from 'react'

/** How often an unreachable server is tried again. */
const retryMs = 2_000
/** What fails although the server answers is asked for again later each time, so that what always fails costs little. */
const failedMs = { first: 2_000, max: 60_000 }
/** Where the server does not say for how long it is busy. */
const busyMs = 10_000

/** `busySeconds`: it has been asked too often, and is asked again after so long. */
type ServerState = { isAway: boolean; busySeconds: number | null }

let state: ServerState = { isAway: false, busySeconds: null }
let back: PromiseWithResolvers<boolean> | undefined
let isWaiting = false
let busyTimer: ReturnType<typeof setTimeout> | undefined
let failedTimer: ReturnType<typeof setTimeout> | undefined
let failed = { at: Number.NEGATIVE_INFINITY, waitMs: failedMs.first }
const listeners = new Set<() => void>()

export const useServerState = (): ServerState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

/**
 * Takes note of an error that may pass by itself, and has the pages read again what it is about: everything once a server that
 * was away is back, and otherwise only what has failed.
 */
export function noticeServerError(error: unknown, queries: QueryClient): void {
  if (error instanceof RunwrightError) {
    if (error.status === 429) waitWhileBusy(error, queries)
    return
  }
  if (isWaiting) return
  isWaiting = true
  void untilServerAnswers().then((wasAway) => {
    isWaiting = false
    if (wasAway) void queries.invalidateQueries()
    else readFailedLater(queries)
  })
}

/** Resolves as soon as the server answers, at once where it does, with whether it was away. The pages say so until then. */
export async function untilServerAnswers(): Promise<boolean> {
  if (back) return back.promise
  back = Promise.withResolvers<boolean>()
  let wasAway = false
  while (!(await answers())) {
    wasAway = true
    tell({ isAway: true })
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
  tell({ isAway: false })
  back.resolve(wasAway)
  back = undefined
  return wasAway
}

function waitWhileBusy({ retryAfterSeconds }: RunwrightError, queries: QueryClient): void {
  if (busyTimer) return
  const ms = retryAfterSeconds === null ? busyMs : Math.max(1, retryAfterSeconds) * 1_000
  tell({ busySeconds: Math.ceil(ms / 1_000) })
  busyTimer = setTimeout(() => {
    busyTimer = undefined
    tell({ busySeconds: null })
    readAgain(queries, (error) => error instanceof RunwrightError && error.status === 429)
  }, ms)
}

function readFailedLater(queries: QueryClient): void {
  if (failedTimer) return
  const isAnew = Date.now() - failed.at > 2 * failedMs.max
  failed = { at: Date.now(), waitMs: isAnew ? failedMs.first : Math.min(failed.waitMs * 2, failedMs.max) }
  failedTimer = setTimeout(() => {
    failedTimer = undefined
    readAgain(queries, (error) => !(error instanceof RunwrightError))
  }, failed.waitMs)
}

function readAgain(queries: QueryClient, isAsked: (error: Error) => boolean): void {
  void queries.refetchQueries({ type: 'active', predicate: ({ state: { error } }) => error !== null && isAsked(error) })
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

function tell(changed: Partial<ServerState>): void {
  const next = { ...state, ...changed }
  if (next.isAway === state.isAway && next.busySeconds === state.busySeconds) return
  state = next
  for (const listener of listeners) listener()
}
