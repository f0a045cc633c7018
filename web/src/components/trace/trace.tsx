import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import type { AgentRun, AgentRunLog } from '@runwright/sdk'
import { useCallback, useLayoutEffect, useState, type ReactElement, type RefObject } from 'react'
import type { Log } from '#log/use-log.ts'
import { useFiltered, type Filter } from '#log/use-filtered.ts'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isOpenAtFirst } from './is-open-at-first.ts'
import { LiveTool } from './live-tool.tsx'
import { TraceRows } from './trace-rows.tsx'
import { TraceTools } from './trace-tools.tsx'
import { useEstimates } from './use-estimates.ts'
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
  const { isOpen, onFold } = useFolds(log, filter)
  const heights = useEstimates(entries, filter)
  // With another function the list adds up all heights anew, so it is the same one until the heights are others.
  const getItemKey = useCallback((n: number) => entries[n]!.seq, [entries, heights])
  const isLive = run.status === 'in_progress'
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (n) => heights[n]!,
    getItemKey,
    overscan,
    scrollPaddingStart: 56,
    scrollPaddingEnd: 24,
    useFlushSync: false,
  })
  const follow = useFollow(scroller, { isLive, length: entries.length, isTarget: selected !== null })
  const goTo = (seq: number) => {
    follow.letGo()
    onSelect(seq)
  }
  useTraceKeys({ entries, selected, goTo, follow, onFold: (entry) => onFold(entry.seq, !isOpen(entry)) })
  useTarget(list, { entries, selected, letGo: follow.letGo })
  useRange(list, { entries, onRange })
  return (
    <>
      <TraceTools log={log} filter={filter} shown={entries.length} />
      <div role="log" aria-live="off" aria-label={`Trace of run ${run.id}`}>
        <TraceRows
          run={run}
          log={log}
          entries={entries}
          list={list}
          selected={selected}
          view={filter.view}
          isOpen={isOpen}
          onFold={onFold}
          onSelect={onSelect}
        />
        {isLive && log.progress && !filter.only && !filter.q && <LiveTool progress={log.progress} />}
      </div>
      <Nothing log={log} shown={entries.length} filter={filter} run={run} />
      {!follow.isOn && isLive && (
        <div className="jump">
          <Button look="sm" onClick={follow.takeUp}>
            <Icon name="arrowdown" size={14} />
            Jump to latest
            {follow.fresh > 0 && <span className="text-ink-3">{follow.fresh} new</span>}
          </Button>
        </div>
      )}
    </>
  )
}

/** What somebody has folded or opened wins over what is open by itself. */
function useFolds(log: Log, filter: Filter) {
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map())
  const onFold = useCallback(
    (seq: number, isOpen: boolean) => setFolds((before) => new Map(before).set(seq, isOpen)),
    [],
  )
  const isOpen = (entry: AgentRunLog) =>
    folds.get(entry.seq) ?? isOpenAtFirst(entry, { lastFailure: log.lastFailure, hasQuery: filter.q !== '' })
  return { isOpen, onFold }
}

type List = Virtualizer<HTMLDivElement, Element>
type Target = { entries: readonly AgentRunLog[]; selected: number | null; letGo: () => void }

/** The entry that the address names is brought on the screen, as soon as it is there. */
function useTarget(list: List, { entries, selected, letGo }: Target): void {
  const last = entries.at(-1)?.seq ?? 0
  const isThere = selected !== null && selected <= last
  useLayoutEffect(() => {
    if (!isThere) return
    const at = entries.findIndex((entry) => entry.seq >= selected)
    const { startIndex, endIndex } = list.range ?? { startIndex: -1, endIndex: -1 }
    letGo()
    list.scrollToIndex(at, { align: at < startIndex || at > endIndex ? 'center' : 'auto' })
    // Only when another entry is chosen, not when the log grows.
  }, [isThere, selected])
}

function useRange(
  list: List,
  { entries, onRange }: { entries: readonly AgentRunLog[]; onRange: Props['onRange'] },
): void {
  const { startIndex = 0, endIndex = 0 } = list.range ?? {}
  const [first, last] = [entries[startIndex]?.seq, entries[endIndex]?.seq]
  useLayoutEffect(() => {
    if (first !== undefined && last !== undefined) onRange(first, last)
  }, [first, last, onRange])
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
