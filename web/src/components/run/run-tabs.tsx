import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { artifactsQuery, diffQuery } from '#base/api.ts'
import { readFiles } from '#components/diff/read-files.ts'
import { changed, type RunTab, type TraceView } from '#base/search.ts'

const viewWords: [TraceView | undefined, string][] = [
  [undefined, 'Full'],
  ['reader', 'Reader'],
  ['timeline', 'Timeline'],
]

/** What of the run is shown; it stands in the address. */
export function RunTabs({
  run,
  tab,
  view,
}: {
  run: AgentRun
  tab: RunTab | undefined
  view: TraceView | undefined
}): ReactElement {
  const ids = { organizationId: run.organization_id, runId: run.id }
  const navigate = useNavigate({ from: '/runs/$organizationId/$runId' })
  const { data: files = [] } = useQuery({ ...diffQuery(ids), select: readFiles })
  const { data: artifacts } = useQuery(artifactsQuery(ids))
  const tabs: { name: RunTab | undefined; word: string; count?: number; className?: string }[] = [
    { name: undefined, word: 'Trace' },
    { name: 'plan', word: 'Plan', className: 'only-narrow' },
    { name: 'changes', word: 'Changes', count: files.length },
    { name: 'artifacts', word: 'Artifacts', count: artifacts?.length ?? 0 },
    { name: 'sandbox', word: 'Sandbox' },
    { name: 'replay', word: 'Replay' },
    { name: 'json', word: 'JSON' },
  ]
  const go = (name: RunTab | undefined) =>
    void navigate({
      search: (before) => changed(before, { tab: name }),
      hash: true,
      replace: true,
    })
  return (
    <div className="run-tabs">
      <div className="tabs grow" role="tablist" aria-label="Views of this run">
        {tabs.map(({ name, word, count, className }) => (
          <button
            key={word}
            role="tab"
            type="button"
            aria-selected={tab === name}
            className={className}
            onClick={() => go(name)}
          >
            {word}
            {count ? <span className="count">{count}</span> : null}
          </button>
        ))}
      </div>
      <div className="seg hide-phone" role="group" aria-label="How the trace is shown">
        {viewWords.map(([name, word]) => (
          <button
            key={word}
            type="button"
            aria-pressed={view === name}
            onClick={() =>
              void navigate({
                search: (before) => changed(before, { view: name }),
                hash: true,
                replace: true,
              })
            }
          >
            {word}
          </button>
        ))}
      </div>
    </div>
  )
}
