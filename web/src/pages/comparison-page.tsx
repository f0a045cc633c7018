import type { Contestant } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, isNotThere, whyNotThere } from '#base/api.ts'
import { hasEnded } from '#base/status.ts'
import { ContestantsTable } from '#components/comparisons/contestants-table.tsx'
import { KeepDialog } from '#components/comparisons/keep-dialog.tsx'
import { comparisonQuery } from '#components/comparisons/queries.ts'
import { Fault } from '#components/fault.tsx'
import { NotFound } from '#components/not-found.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Notice } from '#ui/notice.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** One task and what its contestants made of it. */
export function ComparisonPage(): ReactElement {
  const ids = useParams({ from: '/shell/organizations/$organizationId/comparisons/$comparisonId' })
  const { data: comparison, error, refetch } = useQuery(comparisonQuery(ids))
  const [keeping, setKeeping] = useState<Contestant | null>(null)
  const queries = useQueryClient()
  const stop = useMutation({
    mutationFn: () =>
      client.comparisons.cancelComparison({ org_id: ids.organizationId, comparison_id: ids.comparisonId }),
    onSuccess: (stopped) => queries.setQueryData(comparisonQuery(ids).queryKey, stopped),
  })
  if (!comparison && isNotThere(error)) return <NotFound reason={whyNotThere(error)} />
  const fault = error ?? stop.error
  return (
    <PageFrame title={comparison?.title ?? 'Comparison'}>
      <section className="section">
        {fault && <Fault error={fault} onAgain={() => void refetch()} />}
        {!comparison && !error && <Skeleton rows={8} height={44} />}
        {comparison && (
          <>
            <div className="section-head">
              <p className="grow compare-prompt">{comparison.prompt !== comparison.title && comparison.prompt}</p>
              {comparison.contestants.some(({ status }) => !hasEnded(status)) && (
                <div className="end">
                  <Button isBusy={stop.isPending} onClick={() => stop.mutate()}>
                    <Icon name="stop" size={14} />
                    Stop all
                  </Button>
                </div>
              )}
            </div>
            {comparison.problem && <Notice>The pull request could not be opened: {comparison.problem}</Notice>}
            <ContestantsTable ids={ids} comparison={comparison} onKeep={setKeeping} />
            <p className="compare-note faint small">
              {comparison.base_commit && (
                <>
                  All contestants start from <code className="mono">{comparison.base_commit.slice(0, 7)}</code>.{' '}
                </>
              )}
              Contestants that passed all judges come first, then lower cost, then less time. Ties share a rank.
            </p>
          </>
        )}
      </section>
      {keeping && comparison && (
        <KeepDialog ids={ids} comparison={comparison} contestant={keeping} onClose={() => setKeeping(null)} />
      )}
    </PageFrame>
  )
}
