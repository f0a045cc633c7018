import type { AgentRun, Check } from '@runwright/sdk'
import { queryOptions } from '@tanstack/react-query'
import { client, pullQuery } from '#api.ts'

/** Until then after the last change the checks of a pull request may not all be there. */
const settleMs = 30_000
/** How often a pull request is looked at again: while its checks run, and otherwise. */
const pendingMs = 10_000
const againMs = 120_000

/** `at` is since when it can be merged; null: it cannot. */
type Ready = { at: string | null; isPending: boolean }
const not: Ready = { at: null, isPending: false }
const pending: Ready = { at: null, isPending: true }

/** The pull request of an ended run that may be merged. */
export const openPullOf = ({ status, github_pull_requests: pulls }: AgentRun) =>
  status === 'completed' ? pulls.findLast(({ state }) => state === 'open') : undefined

/** Whether the pull request of a run can be merged: it is open and no draft, and its checks passed, or it has none. */
export const readyQuery = (run: AgentRun) => {
  const { organization_id: organizationId, repo_id: repoId, finished_at: endedAt } = run
  const pull = openPullOf(run)
  const key = pullQuery({ organizationId, repoId: repoId ?? 0, number: pull?.number ?? 0 }).queryKey
  return queryOptions({
    queryKey: [...key, 'ready', endedAt],
    queryFn: async (): Promise<Ready> => {
      if (!pull) return not
      const { state, draft, updated_at: changedAt } = await client.pulls.get(organizationId, pull.id)
      if (state !== 'open' || draft) return not
      const { items: checks } = await client.pulls.checks(organizationId, pull.id, { limit: 100 })
      if (!checks.length && Date.now() - Date.parse(latest([changedAt, endedAt])) < settleMs) return pending
      if (checks.some(({ status }) => status !== 'completed')) return pending
      if (!checks.every(isGreen)) return not
      return { at: latest([endedAt, ...checks.map(({ completed_at: at }) => at)]), isPending: false }
    },
    staleTime: pendingMs,
    refetchInterval: ({ state }) => (state.data?.isPending ? pendingMs : againMs),
  })
}

const isGreen = ({ conclusion }: Check): boolean =>
  conclusion === 'success' || conclusion === 'neutral' || conclusion === 'skipped'

const latest = (times: (string | null)[]): string =>
  times
    .map((at) => at ?? '')
    .toSorted()
    .at(-1)!
