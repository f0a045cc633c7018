import type { AgentRun } from '@runwright/sdk'
import { useId, type ReactElement } from 'react'
import { RunRow } from './run-row.tsx'
import type { Selection } from './use-selection.ts'

type Props = { name: string; runs: AgentRun[]; repoNames: Map<number, string>; selection: Selection }

export function RunsGroup({ name, runs, repoNames, selection }: Props): ReactElement {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="runs-group">
        <h2 id={id}>{name}</h2>
        <span className="faint">{runs.length}</span>
      </div>
      <ul>
        {runs.map((run) => (
          <RunRow
            key={run.id}
            run={run}
            repoName={run.repo_id === null ? undefined : repoNames.get(run.repo_id)}
            isSelected={selection.has(run.id)}
            onSelect={(isRange) => selection.toggle(run.id, isRange)}
          />
        ))}
      </ul>
    </section>
  )
}
