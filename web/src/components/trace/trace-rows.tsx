import type { Virtualizer } from '@tanstack/react-virtual'
import type { AgentRun, AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import type { Log } from '#log/use-log.ts'
import type { TraceView } from '#base/search.ts'
import { Entry } from './entry.tsx'
import { TurnLine } from './turn-line.tsx'

type Props = {
  run: AgentRun
  log: Log
  entries: readonly AgentRunLog[]
  list: Virtualizer<HTMLDivElement, Element>
  /** How far from the top of the page's scrolling part the list begins. */
  margin: number
  selected: number | null
  view: TraceView | undefined
  isOpen: (entry: AgentRunLog) => boolean
  onFold: (seq: number, isOpen: boolean) => void
  onSelect: (seq: number) => void
}

/** The entries on the screen, each at the place it would have if all were there. */
export function TraceRows({
  run,
  log,
  entries,
  list,
  margin,
  selected,
  view,
  isOpen,
  onFold,
  onSelect,
}: Props): ReactElement {
  const runStart = Date.parse(run.started_at ?? run.created_at)
  const end = log.entries.at(-1)
  const runMs = Math.max(1, (end ? Date.parse(end.created_at) : runStart) - runStart)
  return (
    <ol className="trace" data-view={view ?? 'trace'} style={{ height: list.getTotalSize() || undefined }}>
      {list.getVirtualItems().map(({ key, index, start }) => {
        const entry = entries[index]!
        const isNewTurn = index > 0 && entries[index - 1]!.turn !== entry.turn
        return (
          <li
            key={key}
            ref={list.measureElement}
            data-index={index}
            className="trace-item"
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            {isNewTurn && <TurnLine entry={entry} />}
            <Entry
              entry={entry}
              turnStart={log.store.turnStarts.get(entry.turn) ?? runStart}
              runStart={runStart}
              runMs={view === 'timeline' ? runMs : 1}
              isSelected={entry.seq === selected}
              isLast={index === entries.length - 1 && !log.progress && !log.tool && !log.writing}
              isOpen={isOpen(entry)}
              view={view}
              onFold={onFold}
              onSelect={onSelect}
            />
          </li>
        )
      })}
    </ol>
  )
}
