import type { EgressRequest, Sandbox } from '@runwright/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Fault } from '#components/fault.tsx'
import { refusalWords } from '#components/repo/refusal-words.ts'
import { ShowMore } from '#components/show-more.tsx'
import { formatBytes, formatCount } from '#ui/format.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { requestsQuery } from './queries.ts'

/** What the sandbox asked of the network, and what it was told. */
export function SandboxNetwork({ sandbox, repoId }: { sandbox: Sandbox; repoId: number | null }): ReactElement {
  const organizationId = sandbox.organization_id
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    requestsQuery({ organizationId, sandboxId: sandbox.id }, sandbox.status === 'running'),
  )
  const requests = data?.pages.flatMap(({ items }) => items) ?? []
  const last = data?.pages.at(-1)
  return (
    <section className="panel" aria-label="Network">
      <header>
        <h3>Network</h3>
        {last && (
          <span className="faint small grow">
            {formatCount(last.asked)} {last.asked === 1 ? 'request' : 'requests'}, {formatCount(last.refused)} refused
          </span>
        )}
        {repoId !== null && (
          <Link
            className="btn ghost sm"
            to="/organizations/$organizationId/repos/$repoId"
            params={{ organizationId, repoId }}
            search={{ section: 'network' }}
          >
            Allowed hosts
          </Link>
        )}
      </header>
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={2} height={44} />}
      {data && requests.length === 0 && <p className="setup-note muted">Nothing was requested.</p>}
      {requests.length > 0 && (
        <ul className="list">
          {requests.map((request) => (
            <RequestRow key={request.n} request={request} />
          ))}
        </ul>
      )}
      {last && (
        <ShowMore
          shown={requests.length}
          total={last.total}
          name="requests"
          isBusy={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      )}
    </section>
  )
}

function RequestRow({ request }: { request: EgressRequest }): ReactElement {
  const { name, port, allowed, reason, sent_bytes: sent, received_bytes: received } = request
  return (
    <li className="wrap">
      <span className={`tag tone ${allowed ? 'completed' : 'failed'}`}>{allowed ? 'Allowed' : 'Refused'}</span>
      <span className="grow">
        <code className="mono">
          {name}
          {port ? `:${port}` : ''}
        </code>{' '}
        <span className="faint small">{refusalWords(reason)}</span>
      </span>
      {sent !== null && received !== null && (
        <span className="num faint small">
          {formatBytes(sent)} sent, {formatBytes(received)} received
        </span>
      )}
    </li>
  )
}
