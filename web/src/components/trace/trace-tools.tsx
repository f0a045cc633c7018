import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState, type ReactElement } from 'react'
import type { Log } from '#log/use-log.ts'
import type { Filter } from '#log/use-filtered.ts'
import { changed, type Family } from '#search.ts'
import { formatCount } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'

const words: Record<Family, string> = {
  thought: 'Thoughts',
  tool: 'Tools',
  edit: 'Edits',
  error: 'Errors',
  user: 'People',
  pr: 'Pull request',
}

/** Shows only one kind of entry, or those with some words; both stand in the address. */
export function TraceTools({ log, filter, shown }: { log: Log; filter: Filter; shown: number }): ReactElement {
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
          All <span className="text-ink-3">{formatCount(log.length)}</span>
        </button>
        {present.map((family) => (
          <button
            key={family}
            className="chip"
            type="button"
            aria-pressed={filter.only === family}
            onClick={() => choose(family)}
          >
            {words[family]} <span className="text-ink-3">{formatCount(log.counts[family])}</span>
          </button>
        ))}
      </div>
      <SearchTrace q={filter.q} />
      <span className="sr-only" role="status">
        {filter.q && `${shown} entries have these words`}
      </span>
    </div>
  )
}

function SearchTrace({ q }: { q: string }): ReactElement {
  const navigate = useNavigate({ from: '/runs/$organizationId/$runId' })
  const [text, setText] = useState(q)
  const settled = useDeferredValue(text)
  useEffect(() => {
    if (settled === q) return
    void navigate({
      search: (before) => changed(before, { q: settled || undefined }),
      hash: true,
      replace: true,
    })
  }, [settled])
  return (
    <div className="input-wrap hide-phone">
      <Icon name="search" size={14} />
      <input
        className="input quiet"
        type="search"
        aria-label="Search the trace"
        placeholder="Search"
        data-search
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <Kbd>/</Kbd>
    </div>
  )
}
