import type { Comparison } from '@runwright/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '#base/api.ts'

export type ComparisonIds = { organizationId: number; comparisonId: number }

const pageSize = 40
/** Costs and verdicts have no stream. */
const lookAgainMs = 2_000

export const comparisonsQuery = (organizationId: number) =>
  infiniteQueryOptions({
    queryKey: ['comparisons', organizationId],
    queryFn: ({ pageParam: skip }) =>
      client.comparisons.listComparisons({ org_id: organizationId, skip, limit: pageSize }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { items }) => sum + items.length, 0)
      return last.items.length && count < last.total ? count : undefined
    },
    select: ({ pages }) => ({
      items: [...new Map(pages.flatMap(({ items }) => items.map((item) => [item.id, item]))).values()],
      total: pages.at(-1)?.total ?? 0,
    }),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(isMoving)) ? lookAgainMs : false),
  })

export const comparisonQuery = ({ organizationId, comparisonId }: ComparisonIds) =>
  queryOptions({
    queryKey: ['comparison', organizationId, comparisonId],
    queryFn: () => client.comparisons.getComparison({ org_id: organizationId, comparison_id: comparisonId }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? lookAgainMs : false),
  })

/** Whether something of it is about to change by itself: also once one was kept, until the other branches are gone. */
function isMoving({ contestants, winner_run_id: winner }: Comparison): boolean {
  const left = contestants.filter(({ run_id: id, branch, branch_deleted_at: at }) => id !== winner && branch && !at)
  return contestants.some(({ outcome }) => outcome === 'open') || (winner !== null && left.length > 0)
}

export const verdictLogQuery = (
  { organizationId, comparisonId }: ComparisonIds,
  { id, status }: Comparison['contestants'][number]['verdicts'][number],
) =>
  queryOptions({
    queryKey: ['comparison', organizationId, comparisonId, 'log', id, status],
    queryFn: () =>
      client.comparisons.getVerdictLog({ org_id: organizationId, comparison_id: comparisonId, verdict_id: id }),
  })
