import type { AgentRun } from '@runwright/sdk'
import type { ReactElement } from 'react'
import type { Filter } from '#log/use-filtered.ts'
import type { Log } from '#log/use-log.ts'
import { Empty } from '#ui/empty.tsx'
import { formatCount } from '#ui/format.ts'
import { Skeleton } from '#ui/skeleton.tsx'

/** What the trace says where it has no entry to show. */
export function EmptyTrace({
  log,
  shown,
  filter,
  run,
}: {
  log: Log
  shown: number
  filter: Filter
  run: AgentRun
}): ReactElement | null {
  if (shown) return null
  if (log.length) {
    return (
      <Empty icon="search" title="No matching entries">
        {filter.q
          ? `Searched all ${formatCount(log.length)} entries for “${filter.q}”.`
          : `None of the ${formatCount(log.length)} entries is of this kind.`}
      </Empty>
    )
  }
  if (log.connection === 'opening') return <Skeleton rows={8} height={34} />
  return (
    <Empty icon="clock" title={run.status === 'queued' ? 'Waiting to start' : 'Nothing yet'}>
      The agent's thoughts and actions appear here as soon as it starts.
    </Empty>
  )
}
