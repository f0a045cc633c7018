import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client } from '#api.ts'
import { formatDollars } from '#ui/format.ts'
import { toBody, type RunOptions } from './options.ts'

const blockedWords: Record<string, string> = {
  capacity: 'All slots are taken; it starts when one is free',
  no_worker: 'No worker may take it now',
  no_fit_worker: 'It starts when a worker is fit again',
}

/** What would become of the run: nothing is made by asking. */
export function DryRunNote({ organizationId, options }: { organizationId: number; options: RunOptions }): ReactElement {
  const { images: _, ...body } = toBody(options)
  const { data, error } = useQuery({
    queryKey: ['dry-run', organizationId, body],
    queryFn: () => client.runs.tryOut(organizationId, { ...body, prompt: 'What would it cost?' }),
    staleTime: 30_000,
    placeholderData: (before) => before,
  })
  if (error) return <div className="composer-note tone failed">{error.message}</div>
  if (!data) return <div className="composer-note">&nbsp;</div>
  const { low_usd: low, high_usd: high } = data.cost_range
  const { agent_type: engine, model, timeout_minutes: minutes, create_pull_request: opensPull } = data.configuration
  return (
    <div className="composer-note" role="status">
      {low === null || high === null ? (
        <span>No cost is known yet</span>
      ) : (
        <span>
          Similar runs cost{' '}
          <b>
            {formatDollars(low)} to {formatDollars(high)}
          </b>
        </span>
      )}
      <span>{data.blocked_by ? (blockedWords[data.blocked_by] ?? `Waits: ${data.blocked_by}`) : 'Starts at once'}</span>
      <span className="hide-phone">
        {[engine, model].filter((word) => typeof word === 'string').join(' · ')}
        {typeof minutes === 'number' ? `, at most ${minutes} min` : ''}
      </span>
      {options.repoId !== null && opensPull !== false && <span className="hide-phone">Opens a pull request</span>}
      {options.approvesPlan && <span className="hide-phone">Asks you about its plan first</span>}
      {options.images.length > 0 && <span className="hide-phone">{options.images.length} pictures</span>}
    </div>
  )
}
