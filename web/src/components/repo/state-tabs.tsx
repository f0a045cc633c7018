import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { RepoIds } from '#base/api.ts'
import type { ListState } from '#base/search.ts'

type Props = {
  to: '/organizations/$organizationId/repos/$repoId/pulls' | '/organizations/$organizationId/repos/$repoId/issues'
  ids: RepoIds
  state: 'open' | ListState
}

const words = [
  ['open', 'Open'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const

/** Which of a list are shown; it stands in the address. */
export function StateTabs({ to, ids, state }: Props): ReactElement {
  return (
    <div className="seg" role="group" aria-label="Which are shown">
      {words.map(([name, word]) => (
        <Link
          key={name}
          to={to}
          params={ids}
          search={name === 'open' ? {} : { state: name }}
          replace
          aria-current={state === name ? 'true' : undefined}
        >
          {word}
        </Link>
      ))}
    </div>
  )
}
