import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { enginesQuery, reposQuery, usersQuery } from '#base/api.ts'
import { nameOfRepo } from '#base/name-of-repo.ts'
import { runStatuses, statusWords } from '#base/status.ts'
import { changed, sinces, type RunsSearch } from '#base/search.ts'
import { Icon } from '#ui/icon.tsx'
import { sinceWords } from './run-filter.ts'

type Change = { [Key in keyof RunsSearch]?: RunsSearch[Key] | undefined }

/** Which runs are shown, beyond the tabs. */
export function FilterMenu({ organizationId }: { organizationId: number }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button className="btn sm filter-button" type="button" popoverTarget="run-filters">
        <Icon name="sliders" size={14} />
        Filter
      </button>
      <div
        className="menu run-filters"
        popover="auto"
        id="run-filters"
        role="group"
        aria-label="Filters"
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && <Filters organizationId={organizationId} />}
      </div>
    </>
  )
}

/** Each choice is in the address at once. */
function Filters({ organizationId }: { organizationId: number }): ReactElement {
  const search = useSearch({ from: '/shell/runs/$organizationId' })
  const navigate = useNavigate()
  const { data: users } = useQuery(usersQuery(organizationId))
  const { data: engines } = useQuery(enginesQuery(organizationId))
  const { data: repos } = useQuery(reposQuery(organizationId))
  const change = (change: Change) =>
    void navigate({
      to: '/runs/$organizationId',
      params: { organizationId },
      search: (before) => changed(readable(before), change),
      replace: true,
    })
  return (
    <>
      <Choice
        label="Status"
        value={search.status ?? ''}
        choices={runStatuses.map((status) => [status, statusWords[status]])}
        onChoose={(value) => change({ status: runStatuses.find((status) => status === value) })}
      />
      <Choice
        label="Person"
        value={String(search.person ?? '')}
        choices={(users ?? []).map((user) => [String(user.id), user.full_name ?? user.email ?? `User ${user.id}`])}
        onChoose={(value) => change({ person: Number(value) || undefined })}
      />
      <Choice
        label="Engine"
        value={search.engine ?? ''}
        choices={(engines ?? []).map(({ name }) => [name, name])}
        onChoose={(value) => change({ engine: value || undefined })}
      />
      <Choice
        label="Repository"
        value={String(search.repo ?? '')}
        choices={(repos ?? []).map((repo) => [String(repo.id), nameOfRepo(repo)])}
        onChoose={(value) => change({ repo: Number(value) || undefined })}
      />
      <Choice
        label="Created"
        value={search.since ?? ''}
        choices={sinces.map((since) => [since, sinceWords[since]])}
        onChoose={(value) => change({ since: sinces.find((since) => since === value), from: undefined, to: undefined })}
      />
      <div className="filter-dates">
        <Day label="From" value={search.from} onChoose={(from) => change({ from, since: undefined })} />
        <Day label="To" value={search.to} onChoose={(to) => change({ to, since: undefined })} />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={search.archived ?? false}
          onChange={({ target }) => change({ archived: target.checked ? true : undefined })}
        />
        <span>Archived runs</span>
      </label>
    </>
  )
}

/** The router knows the search of whatever page is left. */
const readable = (search: object): RunsSearch => search

type ChoiceProps = {
  label: string
  value: string
  choices: (readonly [string, string])[]
  onChoose: (value: string) => void
}

function Choice({ label, value, choices, onChoose }: ChoiceProps): ReactElement {
  return (
    <label className="filter">
      <span>{label}</span>
      <span className="select-wrap">
        <select className="select compact" value={value} onChange={({ target }) => onChoose(target.value)}>
          <option value="">Any</option>
          {choices.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
        <Icon name="down" size={14} />
      </span>
    </label>
  )
}

type DayProps = { label: string; value: string | undefined; onChoose: (value: string | undefined) => void }

function Day({ label, value, onChoose }: DayProps): ReactElement {
  return (
    <label className="filter">
      <span>{label}</span>
      <input
        className="input compact"
        type="date"
        value={value ?? ''}
        onChange={({ target }) => onChoose(target.value || undefined)}
      />
    </label>
  )
}
