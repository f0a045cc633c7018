import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { auditQuery, isNotThere } from '#base/api.ts'
import { AuditEntryRow } from '#components/audit/audit-entry-row.tsx'
import { AuditFilters } from '#components/audit/audit-filters.tsx'
import { Fault } from '#components/fault.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { useNames } from '#components/use-names.ts'
import { Empty } from '#ui/empty.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** Who changed what in the organization. */
export function AuditPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/audit' })
  const search = useSearch({ from: '/shell/organizations/$organizationId/audit' })
  const entries = useInfiniteQuery(auditQuery(organizationId, search))
  const nameOf = useNames(organizationId)
  const { data, error, isPending } = entries
  const isFiltered = Object.keys(search).length > 0
  if (error && !data && isNotThere(error))
    return (
      <PageFrame title="Audit log">
        <Empty icon="key" title="Only ADMINs can read the audit log">
          Ask an ADMIN of this organization.
        </Empty>
      </PageFrame>
    )
  return (
    <PageFrame title="Audit log">
      <section className="section">
        <div className="section-head">
          <p className="grow">
            Requests to change the organization, its members, tokens, secrets and repositories, and exports. Entries are
            kept for 400 days. Texts that were sent are shown as “…”.
          </p>
        </div>
        <AuditFilters organizationId={organizationId} search={search} />
        {error && <Fault error={error} onAgain={() => void entries.refetch()} />}
        {isPending && <Skeleton rows={6} height={60} />}
        {data?.items.length === 0 && (
          <Empty icon="file" title={isFiltered ? 'No matching entries' : 'No entries yet'}>
            {isFiltered ? 'Change a filter to see more.' : 'Changes appear here as soon as they are made.'}
          </Empty>
        )}
        {data && data.items.length > 0 && (
          <ul className="panel list">
            {data.items.map((entry) => (
              <AuditEntryRow key={entry.id} entry={entry} who={nameOf(entry.user_id)} />
            ))}
          </ul>
        )}
        {data && (
          <ShowMore
            shown={data.items.length}
            total={data.total}
            name="entries"
            isBusy={entries.isFetchingNextPage}
            onMore={() => void entries.fetchNextPage()}
          />
        )}
      </section>
    </PageFrame>
  )
}
