import type { WorkerToken } from '@runwright/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { isNotThere, workerTokensQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { NewTokenNotice } from '#components/new-token-notice.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { MakeWorkerTokenDialog } from '#components/workers/make-worker-token-dialog.tsx'
import { OwnWorkersOnly } from '#components/workers/own-workers-only.tsx'
import { RevokeWorkerTokenDialog } from '#components/workers/revoke-worker-token-dialog.tsx'
import { WorkerTokenRow } from '#components/workers/worker-token-row.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** The organization's own workers: what lets them in, who is connected, and whether runs go to them alone. */
export function WorkersPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/workers' })
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    workerTokensQuery(organizationId),
  )
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [ending, setEnding] = useState<WorkerToken | null>(null)
  if (error && !data && isNotThere(error))
    return (
      <PageFrame title="Workers">
        <Empty icon="key" title="Only ADMINs can manage workers">
          Ask an ADMIN of this organization.
        </Empty>
      </PageFrame>
    )
  const tokens = data?.items
  const make = (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Icon name="plus" size={14} />
      Create a worker token
    </Button>
  )
  return (
    <PageFrame title="Workers">
      <section className="section">
        <div className="section-head">
          <p className="grow">
            Machines of your own run the sandboxes of this organization, and of no other. They need no open port.
          </p>
          {tokens?.length ? <div className="end">{make}</div> : null}
        </div>
        {made !== null && <NewTokenNotice token={made} />}
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={3} height={52} />}
        {tokens?.length === 0 && (
          <Empty icon="key" title="No worker tokens yet" action={make}>
            Create one for each machine or group of machines, so that you can revoke them one by one.
          </Empty>
        )}
        {tokens && tokens.length > 0 && (
          <ul className="panel list">
            {tokens.map((token) => (
              <WorkerTokenRow key={token.id} token={token} onEnd={() => setEnding(token)} />
            ))}
          </ul>
        )}
        {data && (
          <ShowMore
            shown={data.items.length}
            total={data.total}
            name="tokens"
            isBusy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </section>
      <OwnWorkersOnly organizationId={organizationId} />
      {isMaking && (
        <MakeWorkerTokenDialog organizationId={organizationId} onMade={setMade} onClose={() => setMaking(false)} />
      )}
      {ending && (
        <RevokeWorkerTokenDialog organizationId={organizationId} token={ending} onClose={() => setEnding(null)} />
      )}
    </PageFrame>
  )
}
