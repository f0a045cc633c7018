import type { AgentRun } from '@runwright/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { inboxQuery, kindOf, useWishes, type Item } from './inbox.ts'
import { openPullOf, readyQuery } from './ready-query.ts'

/** Pull requests of older runs are not looked at. */
const pullsMax = 10

/** What this person is to know of, newest run first; undefined until it is read. */
export function useInbox(organizationId: number, userId: number) {
  const { data, error, refetch } = useQuery({ ...inboxQuery(organizationId, userId), enabled: userId > 0 })
  const { off, notifies } = useWishes(organizationId, userId)
  const candidates = off.includes('merge') ? [] : (data?.items ?? []).filter(openPullOf).slice(0, pullsMax)
  const ready = useQueries({
    queries: candidates.map((run) => ({ ...readyQuery(run), refetchIntervalInBackground: notifies })),
  })
  // Null for one that is not ready, undefined for one that nobody has looked at yet.
  const readyAt = new Map(candidates.map((run, n) => [run.id, ready[n]?.data?.at]))
  const toItem = (run: AgentRun): Item | undefined => {
    const at = readyAt.get(run.id)
    if (at) return { run, kind: 'merge', at }
    const kind = kindOf(run)
    return kind && !off.includes(kind) ? { run, kind, at: run.finished_at ?? run.updated_at } : undefined
  }
  const items = data?.items.map(toItem).filter((item) => item !== undefined)
  return { items, error, refetch, readyAt }
}
