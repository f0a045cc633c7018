import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import type { AgentRun, AgentRunLog } from '@runwright/sdk'
import {
  useCallback,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type RefObject,
} from 'react'
import type { Log } from '#log/use-log.ts'
import { useFiltered, wordsOf, type Filter } from '#log/use-filtered.ts'
import { Button } from '#ui/button.tsx'
import { SearchedWords } from '#ui/found.tsx'
import { Icon } from '#ui/icon.tsx'
import { useHasBeen } from '#ui/use-has-been.ts'
import { Outcome } from '#components/outcome/outcome.tsx'
import { hasEnded } from '#base/status.ts'
import { EmptyTrace } from './empty-trace.tsx'
import { isOpenAtFirst } from './is-open-at-first.ts'
import { LiveText } from './live-text.tsx'
import { LiveTool } from './live-tool.tsx'
import { TraceRows } from './trace-rows.tsx'
import { TraceTools } from './trace-tools.tsx'
import { useEstimates } from './use-estimates.ts'
import { useFollow, type Follow } from './use-follow.ts'
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
  /** Grows with each message sent from this page: whoever sends one follows what comes of it. */
  sent: number
}

/** The log of a run as it grows. Only what is on the screen is in the page, however long the log is. */
export function Trace({ run, log, filter, selected, onSelect, onRange, scroller, sent }: Props): ReactElement {
  const filtered = useFiltered(log.entries, filter)
  const { entries } = filtered
  const { isOpen, onFold } = useFolds(log, filter)
  const isLive = !hasEnded(run.status)
  const hasSeenLive = useHasBeen(isLive)
  const outcome = useHeight()
  const list = useList(entries, { filter, scroller, margin: outcome.height })
  const follow = useFollow(scroller, { isLive, length: entries.length, isTarget: selected !== null, sent })
  const goTo = (seq: number) => {
    follow.letGo()
    onSelect(seq)
  }
  // Whoever opens an entry after the end reads it where it is.
  const fold = (seq: number, isOpen: boolean) => {
    if (!isLive) follow.letGo()
    onFold(seq, isOpen)
  }
  useTraceKeys({ entries, selected, goTo, follow, onFold: (entry) => fold(entry.seq, !isOpen(entry)) })
  useTarget(list, { entries, selected, letGo: follow.letGo })
  useRange(list, { entries, onRange })
  const isWhole = !filter.only && !filter.q
  const outcomeOf = (isShort: boolean) => (
    <Outcome run={run} log={log} isShort={isShort} onGoTo={goTo} onRetry={follow.takeUp} />
  )
  return (
    <>
      {/* Whoever has watched the run to its end finds its outcome there, and nothing moves. */}
      <div ref={outcome.ref}>{!isLive && !hasSeenLive && <div className="outcome-top">{outcomeOf(false)}</div>}</div>
      <TraceTools log={log} filter={filter} filtered={filtered} selected={selected} goTo={goTo} />
      <div role="log" aria-live="off" aria-label={`Trace of run ${run.id}`}>
        <SearchedWords value={wordsOf(filter.q)}>
          <TraceRows
            run={run}
            log={log}
            entries={entries}
            list={list}
            margin={outcome.height}
            selected={selected}
            view={filter.view}
            isOpen={isOpen}
            onFold={fold}
            onSelect={onSelect}
          />
        </SearchedWords>
        {run.status === 'in_progress' && isWhole && <LiveEnd log={log} />}
      </div>
      {!isLive && hasSeenLive && isWhole && <div className="outcome-end">{outcomeOf(true)}</div>}
      <EmptyTrace log={log} shown={entries.length} filter={filter} run={run} />
      {!follow.isOn && isLive && <JumpToLatest follow={follow} />}
    </>
  )
}

type ListOptions = Pick<Props, 'filter' | 'scroller'> & { margin: number }

function useList(entries: readonly AgentRunLog[], { filter, scroller, margin }: ListOptions): List {
  const estimates = useEstimates(entries, filter)
  // With another function the list adds up all heights anew, so it is the same one until the estimates are others.
  const getItemKey = useCallback((n: number) => estimates.of[n]!.seq, [estimates])
  return useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (n) => estimates.heights[n]!,
    getItemKey,
    overscan,
    scrollMargin: margin,
    scrollPaddingStart: 56,
    scrollPaddingEnd: 24,
    useFlushSync: false,
  })
}

function JumpToLatest({ follow }: { follow: Follow }): ReactElement {
  return (
    <div className="jump">
      <Button look="sm" onClick={follow.takeUp}>
        <Icon name="arrowdown" size={14} />
        Jump to latest
        {follow.fresh > 0 && <span className="faint">{follow.fresh} new</span>}
      </Button>
    </div>
  )
}

/** What is going on below the last entry. */
function LiveEnd({ log: { tool, progress, writing } }: { log: Log }): ReactElement {
  return (
    <>
      {writing && <LiveText writing={writing} />}
      {(tool || progress) && <LiveTool tool={tool} progress={progress} />}
    </>
  )
}

/** How high the outcome above the list is, which moves the list down. */
function useHeight() {
  const ref = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setHeight(ref.current?.offsetHeight ?? 0))
    if (ref.current) observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return { ref, height }
}

/** What somebody has folded or opened stays so, whatever is open by default. */
function useFolds(log: Log, filter: Filter) {
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map())
  const onFold = useCallback(
    (seq: number, isOpen: boolean) => setFolds((before) => new Map(before).set(seq, isOpen)),
    [],
  )
  const isOpen = (entry: AgentRunLog) =>
    folds.get(entry.seq) ?? isOpenAtFirst(entry, { log, hasQuery: filter.q !== '' })
  return { isOpen, onFold }
}

type List = Virtualizer<HTMLDivElement, Element>
type Target = { entries: readonly AgentRunLog[]; selected: number | null; letGo: () => void }

/** Scrolls to the entry that the address names, as soon as it is there. */
function useTarget(list: List, { entries, selected, letGo }: Target): void {
  const last = entries.at(-1)?.seq ?? 0
  const isThere = selected !== null && selected <= last
  const goTo = useEffectEvent((seq: number) => {
    const at = entries.findIndex((entry) => entry.seq >= seq)
    const { startIndex, endIndex } = list.range ?? { startIndex: -1, endIndex: -1 }
    letGo()
    list.scrollToIndex(at, { align: at < startIndex || at > endIndex ? 'center' : 'auto' })
  })
  // Only when another entry is chosen, not when the log grows.
  useLayoutEffect(() => {
    if (isThere) goTo(selected)
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
