import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Log } from '#log/use-log.ts'
import type { Filter, Filtered } from '#log/use-filtered.ts'
import { changed, type Family } from '#base/search.ts'
import { formatCount } from '#ui/format.ts'
import { SearchTrace } from './search-trace.tsx'

const words: Record<Family, string> = {
  thought: 'Thoughts',
  tool: 'Tools',
  edit: 'Edits',
  exit: 'Failed commands',
  error: 'Errors',
  user: 'People',
  pr: 'Pull request',
}

type Props = {
  log: Log
  filter: Filter
  filtered: Filtered
  selected: number | null
  goTo: (seq: number) => void
}

/** Shows only one kind of entry, or those with some words; both are part of the address. The counts follow the search. */
export function TraceTools({ log, filter, filtered, selected, goTo }: Props): ReactElement {
  const navigate = useNavigate({ from: '/runs/$organizationId/$runId' })
  const choose = (only: Family | undefined) =>
    void navigate({
      search: (before) => changed(before, { only }),
      hash: true,
      replace: true,
    })
  const present = (Object.keys(words) as Family[]).filter((family) => log.counts[family] > 0 || filter.only === family)
  return (
    <div className="trace-tools">
      <div className="filters" role="group" aria-label="Show only">
        <button className="chip" type="button" aria-pressed={!filter.only} onClick={() => choose(undefined)}>
          All <span className="faint">{formatCount(filtered.total)}</span>
        </button>
        {present.map((family) => (
          <button
            key={family}
            className="chip"
            type="button"
            aria-pressed={filter.only === family}
            onClick={() => choose(family)}
          >
            {words[family]} <span className="faint">{formatCount(filtered.counts[family])}</span>
          </button>
        ))}
      </div>
      <SearchTrace q={filter.q} filtered={filtered} selected={selected} goTo={goTo} />
    </div>
  )
}
