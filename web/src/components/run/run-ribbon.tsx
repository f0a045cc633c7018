import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState, type MouseEvent, type ReactElement } from 'react'
import { timelineQuery } from '#base/api.ts'
import type { Log } from '#log/use-log.ts'
import { formatClock } from '#ui/format.ts'
import { Ribbon } from '#components/ribbon.tsx'
import { ribbonWidth, shapeRibbon } from '#components/ribbon-shapes.ts'
import { hasEnded, statusWords } from '#base/status.ts'

/** How often the line of a run at work is drawn anew. */
const liveMs = 2_000
const ticksMax = 200
const height = 26
const marks = 6
const shortMs = 10_000

type Props = { run: AgentRun; log: Log; range: [number, number] | null; onGoTo: (seq: number) => void }

/** The whole run in one line; the part that is on the screen is marked, and a press goes to another. */
export function RunRibbon({ run, log, range, onGoTo }: Props): ReactElement {
  const isLive = !hasEnded(run.status)
  const { data } = useQuery({
    ...timelineQuery({ organizationId: run.organization_id, runId: run.id }),
    refetchInterval: isLive ? liveMs * 2 : false,
  })
  const now = useNow(isLive)
  const shapes = useMemo(() => shapeRibbon(data ?? [], { now }), [data, now])
  const tickCount = log.ticks.length
  const ticks = useMemo(() => {
    const all = log.ticks
      .slice(Math.max(0, tickCount - ticksMax), tickCount)
      .map(({ at, kind }) => ({ place: Math.round(shapes.placeOf(at) * 10) / 10, kind }))
    return [...new Map(all.map((tick) => [`${tick.kind}${tick.place}`, tick])).values()]
  }, [log.ticks, tickCount, shapes])
  const timeOf = (seq: number) => Date.parse(log.entries[seq - 1]?.created_at ?? run.created_at)
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    // By the keyboard it goes to the end.
    const place = event.detail ? ((event.clientX - box.left) / box.width) * ribbonWidth : ribbonWidth
    const at = shapes.timeAt(place)
    const entry = log.entries.find((one) => Date.parse(one.created_at) >= at) ?? log.entries.at(-1)
    if (entry) onGoTo(entry.seq)
  }
  const isAtEnd = range !== null && isLive && range[1] === log.length
  const view = range && {
    from: shapes.placeOf(timeOf(range[0])),
    to: isAtEnd ? ribbonWidth : shapes.placeOf(timeOf(range[1])),
  }
  return (
    <div className="run-ribbon">
      <button
        type="button"
        className="ribbon-press"
        onClick={press}
        aria-label="Go to a part of the run; by key, to its end"
      >
        <Ribbon
          shapes={shapes}
          label={`${statusWords[run.status]}, ${formatClock(shapes.totalMs)} in all`}
          height={height}
          ticks={ticks}
        >
          {view && shapes.pieces.length > 0 && (
            <rect
              className="view"
              x={Math.max(0, view.from - 4)}
              y="0.5"
              width={Math.max(12, view.to - view.from + 8)}
              height={height - 1}
              rx="3"
            />
          )}
        </Ribbon>
      </button>
      <div className="axis" aria-hidden="true">
        {Array.from({ length: marks }, (_, n) => (
          <span key={n}>
            {n === marks - 1 && isLive ? 'now' : formatMark((shapes.totalMs * n) / (marks - 1), shapes.totalMs)}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Of a short run, the seconds too. */
const formatMark = (ms: number, totalMs: number) =>
  totalMs < shortMs ? `${(ms / 1_000).toFixed(1)} s` : formatClock(ms)

function useNow(isLive: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isLive) return undefined
    const timer = setInterval(() => setNow(Date.now()), liveMs)
    return () => clearInterval(timer)
  }, [isLive])
  return now
}
