import type { Contestant } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { StatusPill } from '#components/status-pill.tsx'
import { hasEnded, statusWords } from '#base/status.ts'

/** Where a contestant stands: its run until that has ended, then what came of its judges. */
export function OutcomePill({ contestant, isKept }: { contestant: Contestant; isKept: boolean }): ReactElement {
  const { status, outcome, rank } = contestant
  if (isKept) return <StatusPill status="completed" word="Kept" />
  if (!hasEnded(status)) return <StatusPill status={status} />
  if (outcome === 'open') return <StatusPill status="in_progress" word="Being judged" />
  if (outcome === 'passed') return <StatusPill status="completed" word={`Passed · rank ${rank}`} />
  return (
    <StatusPill
      status={status === 'completed' ? 'failed' : status}
      word={status === 'completed' ? 'Did not pass' : statusWords[status]}
    />
  )
}
