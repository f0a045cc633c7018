import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useReducer, useRef, useState, type ReactElement } from 'react'
import { diffQuery } from '#base/api.ts'
import { useLog } from '#log/use-log.ts'
import { changed } from '#base/search.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { useHasBeen } from '#ui/use-has-been.ts'
import { useKeys } from '#ui/use-keys.ts'
import { Fault } from '#components/fault.tsx'
import { titleOf } from '#components/run-title.tsx'
import { hasEnded, statusWords } from '#base/status.ts'
import { Trace } from '#components/trace/trace.tsx'
import { Artifacts } from './artifacts.tsx'
import { Changes } from './changes.tsx'
import { Dock } from './dock.tsx'
import { HostWaitStrip } from './host-wait-strip.tsx'
import { Inspector } from './inspector.tsx'
import { RawJson } from './raw-json.tsx'
import { RunHead } from './run-head.tsx'
import { RunTabs } from './run-tabs.tsx'
import { StopDialog } from './stop-dialog.tsx'
import { StreamStrip } from './stream-strip.tsx'

/** Fetched when somebody looks at them. */
const RunSandbox = lazy(async () => ({ default: (await import('#components/sandbox/run-sandbox.tsx')).RunSandbox }))
const RunReplay = lazy(async () => ({ default: (await import('#components/replay/run-replay.tsx')).RunReplay }))

export function RunView({ run }: { run: AgentRun }): ReactElement {
  const ids = { organizationId: run.organization_id, runId: run.id }
  const { tab, view, only, q = '' } = useSearch({ from: '/shell/runs/$organizationId/$runId' })
  const log = useLog(ids)
  const [selected, select] = useSelected()
  const [isStopping, setStopping] = useState(false)
  const [sent, countSent] = useReducer((n: number) => n + 1, 0)
  const scroller = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState<[number, number] | null>(null)
  const onRange = useCallback((first: number, last: number) => setRange([first, last]), [])
  const isOver = hasEnded(run.status)
  // What an ended run has changed stands above its trace, and would push it down.
  const { isFetched } = useQuery(diffQuery(ids))
  const isTraceReady = useHasBeen(!isOver || isFetched)
  // Somebody has followed up.
  const { wake } = log
  useEffect(() => {
    if (!isOver) wake()
  }, [isOver, wake])
  usePageTitle(run)
  useViewKey(view)
  useKeys(isOver ? {} : { '.': () => setStopping(true) })
  return (
    <main className="page run" id="main" data-tab={tab ?? 'trace'} data-state={run.status}>
      <header className="run-head">
        <RunHead run={run} log={log} range={range} onStop={() => setStopping(true)} onGoTo={select} />
        <RunTabs run={run} tab={tab} view={view} />
        <StreamStrip log={log} />
        <HostWaitStrip run={run} />
      </header>
      <div className="run-body">
        <div className="run-main">
          <div
            className="run-scroll"
            ref={scroller}
            tabIndex={0}
            role="tabpanel"
            aria-label={tab ?? 'Trace'}
            hidden={tab === 'plan'}
          >
            {log.fault && <Fault error={log.fault} />}
            {!tab && !isTraceReady && <Skeleton rows={8} height={34} />}
            {!tab && isTraceReady && (
              <Trace
                run={run}
                log={log}
                filter={{ only, q, view }}
                selected={selected}
                onSelect={select}
                onRange={onRange}
                scroller={scroller}
                sent={sent}
              />
            )}
            {tab === 'changes' && <Changes run={run} />}
            {tab === 'artifacts' && <Artifacts run={run} />}
            <Suspense fallback={<Skeleton rows={8} height={34} />}>
              {tab === 'sandbox' && <RunSandbox run={run} />}
              {tab === 'replay' && <RunReplay run={run} />}
            </Suspense>
            {tab === 'json' && <RawJson run={run} log={log} />}
          </div>
          <Dock run={run} log={log} onStop={() => setStopping(true)} onSent={countSent} />
        </div>
        <Inspector run={run} log={log} selected={selected} />
      </div>
      {isStopping && <StopDialog run={run} onClose={() => setStopping(false)} />}
    </main>
  )
}

/** The selected entry is part of the address, as `#s38`. */
function useSelected(): [number | null, (seq: number | null) => void] {
  const { hash } = useLocation()
  const navigate = useNavigate({ from: '/runs/$organizationId/$runId' })
  const seq = /^s(\d+)$/.exec(hash)?.[1]
  const select = useCallback(
    (seq: number | null) =>
      void navigate({
        search: (before) => before,
        hash: seq === null ? '' : `s${seq}`,
        replace: true,
        hashScrollIntoView: false,
        resetScroll: false,
      }),
    [navigate],
  )
  return [seq === undefined ? null : Number(seq), select]
}

/** V switches between everything, only thoughts and messages, and one line each. */
function useViewKey(view: 'reader' | 'timeline' | undefined): void {
  const navigate = useNavigate({ from: '/runs/$organizationId/$runId' })
  const next = view === undefined ? ('reader' as const) : view === 'reader' ? ('timeline' as const) : undefined
  useKeys({
    v: () =>
      void navigate({
        search: (before) => changed(before, { view: next }),
        hash: true,
        replace: true,
      }),
  })
}

/** The tab of the browser follows the run's state. */
function usePageTitle(run: AgentRun): void {
  const title = `${statusWords[run.status]} · ${titleOf(run)} · Runwright`
  useEffect(() => {
    document.title = title
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (icon) icon.href = `/favicon-${run.status.replaceAll('_', '-')}.svg`
    return () => {
      if (icon) icon.href = '/favicon.svg'
    }
  }, [title, run.status])
}
