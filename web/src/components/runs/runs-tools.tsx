import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { runsQuery } from '#base/api.ts'
import { changed, type RunList, type RunsSearch } from '#base/search.ts'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { useTyped } from '#ui/use-typed.ts'
import { FilterMenu } from './filter-menu.tsx'
import { statusesOf } from './run-filter.ts'
import { SavedViews } from './saved-views.tsx'

const typingMs = 200

const lists: { show: RunList | undefined; word: string; className?: string }[] = [
  { show: undefined, word: 'All' },
  { show: 'needs', word: 'Needs you' },
  { show: 'work', word: 'Running' },
  { show: 'ended', word: 'Finished', className: 'hide-phone' },
  { show: 'mine', word: 'Mine' },
]

/** Which runs are shown; all of it is in the address. */
export function RunsTools({ organizationId, needing }: { organizationId: number; needing: number }): ReactElement {
  const search = useSearch({ from: '/shell/runs/$organizationId' })
  const { data: working } = useQuery(runsQuery(organizationId, { status: statusesOf.work }, 1))
  const counts: Partial<Record<RunList, number>> = { needs: needing, work: working?.total ?? 0 }
  return (
    <div className="row runs-tools">
      <nav className="tabs grow" aria-label="Which runs">
        {lists.map(({ show, word, className }) => (
          <Link
            key={word}
            to="/runs/$organizationId"
            params={{ organizationId }}
            search={(before) => changed(before as RunsSearch, { show })}
            className={className}
            aria-current={search.show === show ? 'page' : undefined}
          >
            {word}
            {show && counts[show] ? (
              <span className={`count ${show === 'needs' ? 'waiting_for_user tone' : ''}`}>{counts[show]}</span>
            ) : null}
          </Link>
        ))}
        <SavedViews organizationId={organizationId} />
      </nav>
      <FilterMenu organizationId={organizationId} />
      <Search organizationId={organizationId} />
    </div>
  )
}

function Search({ organizationId }: { organizationId: number }): ReactElement {
  const { q = '' } = useSearch({ from: '/shell/runs/$organizationId' })
  const navigate = useNavigate()
  const [text, setText] = useTyped(q, {
    restMs: typingMs,
    onRest: (text) =>
      void navigate({
        to: '/runs/$organizationId',
        params: { organizationId },
        search: (before) => changed(before as RunsSearch, { q: text || undefined }),
        replace: true,
      }),
  })
  return (
    <div className="input-wrap">
      <Icon name="search" size={14} />
      <input
        className="input quiet compact"
        type="search"
        placeholder="Search"
        aria-label="Search runs"
        data-search
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Kbd>/</Kbd>
    </div>
  )
}
