import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, type ReactElement } from 'react'
import { usersQuery, type AuditFilter } from '#base/api.ts'
import { dayOf } from '#base/search.ts'
import { Select } from '#ui/select.tsx'
import { auditedActions, wordsOfAction } from './audited-actions.ts'

type Props = { organizationId: number; search: AuditFilter }

/** Which entries are shown; the address says so, too. */
export function AuditFilters({ organizationId, search }: Props): ReactElement {
  const { data: users } = useQuery(usersQuery(organizationId))
  const navigate = useNavigate()
  const change = (changed: Partial<Record<keyof AuditFilter, string | number | undefined>>) =>
    void navigate({
      to: '/organizations/$organizationId/audit',
      params: { organizationId },
      search: { ...search, ...changed } as AuditFilter,
      replace: true,
    })
  const people = (users ?? []).map(
    ({ id, full_name: name, email }) => [String(id), name ?? email ?? `User ${id}`] as const,
  )
  return (
    <form className="audit-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Select
        label="Person"
        value={String(search.person ?? '')}
        choices={[['', 'Everyone'], ...people]}
        onChange={(id) => change({ person: Number(id) || undefined })}
      />
      <Select
        label="Action"
        value={search.action ?? ''}
        choices={[['', 'All actions'], ...auditedActions.map((action) => [action, wordsOfAction(action)] as const)]}
        onChange={(action) => change({ action: action || undefined })}
      />
      <Day label="From" value={search.from} onChange={(from) => change({ from })} />
      <Day label="To" value={search.to} onChange={(to) => change({ to })} />
    </form>
  )
}

type DayProps = { label: string; value: string | undefined; onChange: (day: string | undefined) => void }

function Day({ label, value, onChange }: DayProps): ReactElement {
  const id = useId()
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        type="date"
        value={value ?? ''}
        onChange={(event) => onChange(dayOf(event.target.value))}
      />
    </div>
  )
}
