import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { reposQuery } from '#base/api.ts'
import { nameOfRepo } from '#base/name-of-repo.ts'
import { useNames } from '#components/use-names.ts'
import { changed } from '#base/search.ts'
import { Icon } from '#ui/icon.tsx'
import { filterWords } from './run-filter.ts'
import { SaveView } from './saved-views.tsx'

/** The filters that hold, in words; pressing one removes it. */
export function FilterChips({ organizationId }: { organizationId: number }): ReactElement | null {
  const search = useSearch({ from: '/shell/runs/$organizationId' })
  const { data: repos } = useQuery(reposQuery(organizationId))
  const nameOf = useNames(organizationId)
  const repoName = (id: number) => {
    const repo = repos?.find((one) => one.id === id)
    return repo ? nameOfRepo(repo) : `#${id}`
  }
  const filters = filterWords(search, { person: nameOf, repo: repoName })
  if (!filters.length && !search.q) return null
  return (
    <div className="filter-chips">
      {filters.map(({ keys, words }) => (
        <Link
          key={words}
          className="chip"
          to="/runs/$organizationId"
          params={{ organizationId }}
          search={changed(search, Object.fromEntries(keys.map((key) => [key, undefined])))}
          aria-label={`Remove filter: ${words}`}
        >
          {words}
          <Icon name="x" size={12} />
        </Link>
      ))}
      <SaveView
        organizationId={organizationId}
        name={filters.map(({ words }) => words).join(', ') || (search.q ?? '')}
      />
    </div>
  )
}
