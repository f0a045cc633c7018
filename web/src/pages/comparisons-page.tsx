import type { Comparison } from '@runwright/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { NewComparisonDialog } from '#components/comparisons/new-comparison-dialog.tsx'
import { comparisonsQuery } from '#components/comparisons/queries.ts'
import { Fault } from '#components/fault.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { StatusPill } from '#components/status-pill.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { countOf } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'

/** The comparisons of an organization. */
export function ComparisonsPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/comparisons' })
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    comparisonsQuery(organizationId),
  )
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" size={14} />
      New comparison
    </Button>
  )
  return (
    <PageFrame title="Comparisons">
      <section className="section">
        <div className="section-head">
          <p className="grow">One task for several engines, models or prompts, judged by the same commands.</p>
          {data?.items.length ? <div className="end">{add}</div> : null}
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={4} height={60} />}
        {data?.items.length === 0 && (
          <Empty icon="diff" title="No comparisons yet" action={add}>
            Give one task to several contestants, and keep the best of their work.
          </Empty>
        )}
        {data && data.items.length > 0 && (
          <ul className="panel list">
            {data.items.map((comparison) => (
              <ComparisonRow key={comparison.id} organizationId={organizationId} comparison={comparison} />
            ))}
          </ul>
        )}
        {data && (
          <ShowMore
            shown={data.items.length}
            total={data.total}
            name="comparisons"
            isBusy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </section>
      {isAdding && <NewComparisonDialog organizationId={organizationId} onClose={() => setAdding(false)} />}
    </PageFrame>
  )
}

function ComparisonRow({
  organizationId,
  comparison,
}: {
  organizationId: number
  comparison: Comparison
}): ReactElement {
  const { id: comparisonId, title, contestants, winner_run_id: winner, created_at: createdAt } = comparison
  const kept = contestants.find(({ run_id: runId }) => runId === winner)
  const passed = contestants.filter(({ outcome }) => outcome === 'passed').length
  return (
    <li>
      <div className="grow">
        <Link
          className="link"
          to="/organizations/$organizationId/comparisons/$comparisonId"
          params={{ organizationId, comparisonId }}
        >
          {title}
        </Link>
        <p className="faint small">
          {countOf(contestants.length, 'contestant')} · {passed} passed
          {kept && ` · kept ${kept.name}`} · <Time at={createdAt} />
        </p>
      </div>
      <ComparisonPill comparison={comparison} />
    </li>
  )
}

function ComparisonPill({ comparison: { status, winner_run_id: winner } }: { comparison: Comparison }): ReactElement {
  if (winner !== null) return <StatusPill status="completed" word="Kept one" />
  if (status === 'cancelled') return <StatusPill status="cancelled" />
  return status === 'open' ? <StatusPill status="in_progress" /> : <StatusPill status="completed" />
}
