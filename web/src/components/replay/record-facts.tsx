import type { ReactElement } from 'react'
import type { RunRecord } from '#records/run-record.ts'
import { countOf, formatZoned } from '#ui/format.ts'

type Props = { record: RunRecord; name: string | null; isExample: boolean }

/** Which run it was, and where the record is from. */
export function RecordFacts({ record, name, isExample }: Props): ReactElement {
  const { runId, agentType, repository, branch, recordedAt } = record.head
  const when = recordedAt === null ? 'at an unknown time' : formatZoned(recordedAt)
  return (
    <div>
      <p className="truncate">
        {name && <b>{name}: </b>}
        Run {runId ?? '?'} of the agent <code>{agentType}</code>
        {repository !== null && (
          <>
            {' '}
            in <b>{repository}</b>
          </>
        )}
        {branch !== null && (
          <>
            {' '}
            on <code>{branch}</code>
          </>
        )}
        , {countOf(record.steps.length, 'step')}, recorded {when}.
      </p>
      <p className="faint small">
        {isExample
          ? 'This is a recording, not a run that is going on. The agent, its tools and its sandbox were real; what the model said was written in advance and came from a scripted model server.'
          : 'The file is read in this browser alone and is not uploaded. Its checksum shows that it is whole, not who made it.'}
      </p>
    </div>
  )
}
