import { useVirtualizer } from '@tanstack/react-virtual'
import type { AgentRun } from '@runwright/sdk'
import { useCallback, useLayoutEffect, useState, type ReactElement, type RefObject } from 'react'
import type { Log } from '#log/use-log.ts'
import { useFiltered, type Filter } from '#log/use-filtered.ts'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Entry } from './entry.tsx'
import { estimateHeight } from './estimate-height.ts'
import { isOpenAtFirst } from './is-open-at-first.ts'
import { LiveTool } from './live-tool.tsx'
import { TraceTools } from './trace-tools.tsx'
import { TurnLine } from './turn-line.tsx'
import { useFollow } from './use-follow.ts'
import { useTraceKeys } from './use-trace-keys.ts'

const overscan = 8

type Props = {
  run: AgentRun
  log: Log
  filter: Filter
  selected: number | null
  onSelect: (seq: number | null) => void
  /** Told which entries are on the screen. */
  onRange: (first: number, last: number) => void
  scroller: RefObject<HTMLDivElement | null>
}

/** The log of a run as it grows. Only what is on the screen is in the page, however long the log is. */
export function Trace({ run, log, filter, selected, onSelect, onRange, scroller }: Props): ReactElement {
  const entries = useFiltered(log.entries, filter)
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map())
  const onFold = useCallback(
    (seq: number, isOpen: boolean) => setFolds((before) => new Map(before).set(seq, isOpen)),
    [],
  )
  const isOpen = (seq: number, n: number) =>
    folds.get(seq) ?? isOpenAtFirst(entries[n]!, { lastFailure: log.lastFailure, hasQuery: filter.q !== '' })
  const isLive = run.status === 'in_progress'
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (n) => estimateHeight(entries[n]!, { isOpen: isOpen(entries[n]!.seq, n), view: filter.view }),
    getItemKey: (n) => entries[n]!.seq,
    overscan,
    scrollPaddingStart: 56,
    scrollPaddingEnd: 24,
    useFlushSync: false,
  })
  const items = list.getVirtualItems()
  const height = list.getTotalSize()
  const follow = useFollow(scroller, { isLive, length: entries.length, isTarget: selected !== null })
  const indexOf = (seq: number) => entries.findIndex((entry) => entry.seq >= seq)
  const goTo = (seq: number) => {
    follow.letGo()
    onSelect(seq)
    const at = indexOf(seq)
    if (at >= 0) list.scrollToIndex(at, { align: 'center' })
  }
  useTraceKeys({ entries, selected, goTo, follow, onFold: (seq) => onFold(seq, !isOpen(seq, indexOf(seq))) })
  useTarget(selected, { length: entries.length, goTo })
  const [first, last] = [items[0], items.at(-1)]
  useLayoutEffect(() => {
    if (first && last) onRange(entries[first.index]!.seq, entries[last.index]!.seq)
  }, [first?.index, last?.index, entries, onRange])
  const runStart = Date.parse(run.started_at ?? run.created_at)
  const end = log.entries.at(-1)
  const runMs = Math.max(1, (end ? Date.parse(end.created_at) : Date.now()) - runStart)
  return (
    <>
      <TraceTools log={log} filter={filter} shown={entries.length} />
      <div role="log" aria-live="off" aria-label={`Trace of run ${run.id}`}>
        <ol className="trace" data-view={filter.view ?? 'trace'} style={{ height: height || undefined }}>
          {items.map(({ key, index, start }) => {
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
                style={{ transform: `translateY(${start}px)` }}
              >
                {isNewTurn && <TurnLine entry={entry} />}
                <Entry
                  entry={entry}
                  turnStart={log.store.turnStarts.get(entry.turn) ?? runStart}
                  runStart={runStart}
                  runMs={runMs}
                  isSelected={entry.seq === selected}
                  isLast={index === entries.length - 1 && !log.progress}
                  isOpen={isOpen(entry.seq, index)}
                  view={filter.view}
                  onFold={onFold}
                  onSelect={onSelect}
                />
              </li>
            )
          })}
        </ol>
        {isLive && log.progress && !filter.only && !filter.q && <LiveTool progress={log.progress} />}
      </div>
      <Nothing log={log} shown={entries.length} filter={filter} run={run} />
      {!follow.isOn && isLive && (
        <div className="jump">
          <Button look="sm" onClick={follow.takeUp}>
            <Icon name="arrowdown" size={14} />
            Jump to latest
            {follow.fresh > 0 && <span className="dim">{follow.fresh} new</span>}
          </Button>
        </div>
      )}
    </>
  )
}

/** An entry that the address names is gone to as soon as it is there. */
function useTarget(selected: number | null, { length, goTo }: { length: number; goTo: (seq: number) => void }): void {
  const [wanted, setWanted] = useState(selected)
  const isThere = wanted !== null && length >= wanted
  useLayoutEffect(() => {
    if (!isThere) return
    goTo(wanted)
    setWanted(null)
  }, [isThere])
}

function Nothing({
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
      <Empty icon="search" title="No entry fits">
        {filter.q
          ? `All ${log.length} entries were searched for “${filter.q}”.`
          : `None of ${log.length} entries is of this kind.`}
      </Empty>
    )
  }
  if (log.connection === 'opening') return <Skeleton rows={8} height={34} />
  return (
    <Empty icon="clock" title={run.status === 'queued' ? 'Waits to be taken' : 'Nothing yet'}>
      What the agent thinks and does stands here as soon as it begins.
    </Empty>
  )
}
