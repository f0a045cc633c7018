import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { integrationHealthQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { HealthCheck } from '#components/hosts/health-check.tsx'
import { nameOfHost } from '#components/hosts/name-of-host.ts'
import { useSync } from '#components/hosts/use-sync.ts'
import { PageFrame } from '#components/page-frame.tsx'
import { useCanManage } from '#components/use-can-manage.ts'
import { Button } from '#ui/button.tsx'
import { formatAgo } from '#ui/format.ts'
import { Skeleton } from '#ui/skeleton.tsx'

/** How the connection to one code host stands. */
export function HostPage(): ReactElement {
  const { organizationId, integrationId } = useParams({
    from: '/shell/organizations/$organizationId/hosts/$integrationId',
  })
  const canManage = useCanManage(organizationId)
  const sync = useSync(organizationId, integrationId)
  const { data, error, isPending, refetch } = useQuery(
    integrationHealthQuery(organizationId, integrationId, sync.submittedAt),
  )
  const host = data?.integration
  return (
    <PageFrame title={host ? nameOfHost(host) : 'Code host'}>
      <section className="section" aria-labelledby="health">
        <div className="section-head">
          <div className="grow">
            <h2 id="health">Health</h2>
            {data && (
              <p>
                {words[data.status]}{' '}
                {host?.synced_at ? `Synced ${formatAgo(host.synced_at, Date.now())}.` : 'Not synced yet.'}
              </p>
            )}
          </div>
          {canManage && (
            <div className="end">
              <Button isBusy={sync.isPending} onClick={() => sync.mutate()}>
                Sync now
              </Button>
            </div>
          )}
        </div>
        {sync.error && <Fault error={sync.error} />}
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={6} height={52} />}
        {data && (
          <ul className="panel list">
            {data.checks.map((check) => (
              <HealthCheck key={check.name} check={check} />
            ))}
          </ul>
        )}
      </section>
    </PageFrame>
  )
}

const words = {
  ok: 'Everything works.',
  warning: 'It works, with limits.',
  problem: 'Something is broken.',
}
