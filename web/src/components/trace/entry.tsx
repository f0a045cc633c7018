import type { AgentRunLog } from '@runwright/sdk'
import { memo, type ReactElement } from 'react'
import { factsOf } from '#log/entry-facts.ts'
import type { TraceView } from '#base/search.ts'
import { formatClock, formatDuration } from '#ui/format.ts'
import { EntryBody } from './entry-body.tsx'
import { EntryMark } from './entry-mark.tsx'

type Props = {
  entry: AgentRunLog
  /** When its turn began. */
  turnStart: number
  /** When the run began, and how long it has lasted, for the view of bars. */
  runStart: number
  runMs: number
  isSelected: boolean
  isLast: boolean
  isOpen: boolean
  view: TraceView | undefined
  onFold: (seq: number, isOpen: boolean) => void
  onSelect: (seq: number) => void
}

/** One entry of the log: when, what kind, and what there is to read. */
export const Entry = memo(function Entry(props: Props): ReactElement {
  const { entry, turnStart, isSelected, isLast, isOpen, view, onFold, onSelect } = props
  const facts = factsOf(entry)
  const clock = formatClock(Date.parse(entry.created_at) - turnStart)
  return (
    <article
      className={`entry ${isSelected ? 'at' : ''} ${isLast ? 'last' : ''}`}
      data-kind={facts.kind}
      data-seq={entry.seq}
      tabIndex={-1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) onSelect(entry.seq)
      }}
    >
      <div className="when">
        <a href={`#s${entry.seq}`} aria-label={`Entry ${entry.seq}, at ${clock}`}>
          <time className="at-time" dateTime={entry.created_at}>
            {clock}
          </time>
          <span className="seq">#{entry.seq}</span>
        </a>
      </div>
      <div className="spine">
        <EntryMark entry={entry} />
      </div>
      <div className="entry-main">
        {view === 'timeline' ? (
          <span className="only-title">{facts.title}</span>
        ) : (
          <EntryBody entry={entry} isOpen={isOpen} isReader={view === 'reader'} onFold={onFold} />
        )}
      </div>
      {view === 'timeline' && <Lane {...props} />}
    </article>
  )
})

/** How long it took, to scale. */
function Lane({ entry, runStart, runMs }: Pick<Props, 'entry' | 'runStart' | 'runMs'>): ReactElement {
  const ms = entry.duration_ms ?? 0
  const end = ((Date.parse(entry.created_at) - runStart) / runMs) * 100
  const width = Math.min(end, Math.max(0.3, (ms / runMs) * 100))
  const colour = { error: 'var(--color-failed)', user: 'var(--color-type-user)', plan: 'var(--color-type-plan)' }[
    factsOf(entry).kind as string
  ]
  const isRight = end > 85
  return (
    <div className="lane" aria-hidden="true">
      <i style={{ left: `${end - width}%`, width: `${width}%`, ...(colour ? { '--c': colour } : {}) }} />
      {ms > 0 && (
        <span style={isRight ? { right: `calc(${100 - end + width}% + 6px)` } : { left: `calc(${end}% + 6px)` }}>
          {formatDuration(ms)}
        </span>
      )}
    </div>
  )
}
