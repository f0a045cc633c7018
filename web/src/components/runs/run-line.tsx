import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, type ReactElement } from 'react'
import { timelineQuery } from '#base/api.ts'
import { formatDuration } from '#ui/format.ts'
import { useSeen } from '#ui/use-seen.ts'
import { Ribbon } from '#components/ribbon.tsx'
import { shapeRibbon } from '#components/ribbon-shapes.ts'
import { hasEnded, statusWords } from '#base/status.ts'

/** A run in one line, for lists; read when it comes to the screen. */
export function RunLine({ run }: { run: AgentRun }): ReactElement {
  const node = useRef<HTMLSpanElement>(null)
  const isSeen = useSeen(node)
  const { data } = useQuery({
    ...timelineQuery({ organizationId: run.organization_id, runId: run.id }),
    enabled: isSeen,
    staleTime: hasEnded(run.status) ? Infinity : 15_000,
  })
  const shapes = useMemo(() => shapeRibbon(data ?? [], { now: Date.now(), piecesMax: 100 }), [data])
  const end = { completed: 'done', failed: 'err' }[run.status as string] as 'done' | 'err' | undefined
  const ticks = end ? [{ place: 997, kind: end }] : []
  return (
    <span className="run-line" ref={node}>
      <Ribbon
        shapes={shapes}
        label={`${statusWords[run.status]}, ${formatDuration(shapes.totalMs)}`}
        height={14}
        ticks={ticks}
      />
    </span>
  )
}
