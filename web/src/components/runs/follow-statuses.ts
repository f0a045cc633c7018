import { RunwrightError, type AgentRun, type AgentRunPage } from '@runwright/sdk'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { client, isSignedOut } from '#base/api.ts'
import { inboxQuery } from '#components/inbox/inbox.ts'
import { noticeServerError, untilServerAnswers } from '#base/server-state.ts'

type RunPages = InfiniteData<AgentRunPage>

/** Between two tries of the stream: longer each time, where it is the stream alone that fails. */
const awayMs = { first: 2_000, max: 60_000 }
/** A stream that lasted so long has worked. */
const workedMs = 10_000
/** New runs come in bursts; the lists are read once for each. */
const togetherMs = 300

/** Puts every change of a run's status into what the pages have read. Rejects only when somebody has signed out. */
export async function followStatuses(
  queries: QueryClient,
  { organizationId, signal }: { organizationId: number; signal: AbortSignal },
): Promise<void> {
  const lists = together(() => void queries.invalidateQueries({ queryKey: ['runs', organizationId] }))
  const inbox = together(() => void queries.invalidateQueries(inboxQuery(organizationId)))
  let waitMs = awayMs.first
  while (!signal.aborted) {
    let toldMs = 0
    const openedAt = Date.now()
    try {
      // There is no cursor: whatever was missed is in the lists.
      lists.readAgain()
      inbox.readAgain()
      for await (const run of client.runs.followStatuses({ org_id: organizationId }, { signal })) {
        inbox.readAgain()
        if (!putInto(queries, run)) lists.readAgain()
      }
    } catch (error) {
      if (signal.aborted) break
      if (isSignedOut(error)) return
      noticeServerError(error, queries)
      if (error instanceof RunwrightError) toldMs = (error.retryAfterSeconds ?? 0) * 1_000
      else if (await untilServerAnswers()) waitMs = awayMs.first
    }
    if (Date.now() - openedAt > workedMs) waitMs = awayMs.first
    await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, toldMs)))
    waitMs = Math.min(waitMs * 2, awayMs.max)
  }
  lists.stop()
  inbox.stop()
}

/** Reads once for all that comes within a moment. */
function together(read: () => void): { readAgain: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    readAgain: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        read()
      }, togetherMs)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Whether every list that shows the run shows it where it belongs. */
function putInto(queries: QueryClient, run: AgentRun): boolean {
  const key = ['run', run.organization_id, run.id]
  const before = queries.getQueryData<AgentRun>(key)
  if (before) queries.setQueryData(key, run)
  void queries.invalidateQueries({ queryKey: key, predicate: ({ queryKey }) => queryKey.length > key.length })
  const lists = queries.getQueriesData<AgentRunPage | RunPages>({ queryKey: ['runs', run.organization_id] })
  let isThere = false
  for (const [listKey, list] of lists) {
    const pages = list === undefined ? [] : 'pageParams' in list ? list.pages : [list]
    const shown = pages.flatMap(({ items }) => items).find(({ id }) => id === run.id)
    if (!list || !shown) continue
    isThere = shown.status === run.status
    const changed = pages.map((page) => ({ ...page, items: page.items.map((one) => (one.id === run.id ? run : one)) }))
    queries.setQueryData(listKey, 'pageParams' in list ? { ...list, pages: changed } : changed[0])
  }
  return isThere
}
