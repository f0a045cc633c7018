import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { formatDollars } from '#ui/format.ts'
import { useRested } from '#ui/use-rested.ts'
import { DryRunDialog } from './dry-run-dialog.tsx'
import { toBody, type RunOptions } from './options.ts'

const restMs = 400

const blockedWords: Record<string, string> = {
  capacity: 'Starts when a slot is free',
  no_worker: 'Waits for a worker',
  no_own_worker: 'Waits for one of your organization’s workers',
  no_fit_worker: 'Starts when a worker is healthy again',
}

/** How the run would start, and what it would use; asking starts nothing. */
export function DryRunNote({ organizationId, options }: { organizationId: number; options: RunOptions }): ReactElement {
  const { images: _, ...input } = toBody(options)
  // Nobody is asked about what is still being typed.
  const asked = useRested(JSON.stringify(input), restMs)
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['dry-run', organizationId, asked],
    queryFn: ({ signal }) => {
      const body = JSON.parse(asked) as typeof input
      return client.runs.dryRun({ org_id: organizationId, ...body, prompt: 'What would it cost?' }, { signal })
    },
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
        <span>Cost unknown</span>
      ) : (
        <span>
          Similar runs cost{' '}
          <b>
            {formatDollars(low)} to {formatDollars(high)}
          </b>
        </span>
      )}
      <span>
        {data.blocked_by ? (blockedWords[data.blocked_by] ?? `Waits: ${data.blocked_by}`) : 'Starts immediately'}
      </span>
      <span className="hide-phone">
        {[engine, model].filter((word) => typeof word === 'string').join(' · ')}
        {typeof minutes === 'number' ? ` · ${minutes} min per turn` : ''}
      </span>
      {options.repoId !== null && opensPull !== false && <span className="hide-phone">Opens a pull request</span>}
      {options.approvesPlan && <span className="hide-phone">Asks you to approve the plan</span>}
      {options.images.length > 0 && <span className="hide-phone">{imageCount(options.images.length)}</span>}
      <button className="link" type="button" onClick={() => setOpen(true)}>
        Details
      </button>
      {isOpen && <DryRunDialog answer={data} onClose={() => setOpen(false)} />}
    </div>
  )
}

const imageCount = (count: number): string => (count === 1 ? '1 image' : `${count} images`)
