import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, type ReactElement, type RefObject } from 'react'
import { meQuery, reposQuery, runPagesQuery, runsQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { FirstSteps } from '#components/first-steps/first-steps.tsx'
import { groupRuns } from '#components/runs/group-runs.ts'
import { RunsGroup } from '#components/runs/runs-group.tsx'
import { RunsTools } from '#components/runs/runs-tools.tsx'
import { FilterChips } from '#components/runs/filter-chips.tsx'
import { statusesOf, toFilter } from '#components/runs/run-filter.ts'
import { SelectionBar } from '#components/runs/selection-bar.tsx'
import { useSelection, type Selection } from '#components/runs/use-selection.ts'
import { StartRun } from '#components/start-run/start-run.tsx'
import { Empty } from '#ui/empty.tsx'
import { countOf, formatCount } from '#ui/format.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { useNow } from '#ui/time.tsx'
import { useKeys } from '#ui/use-keys.ts'

export function RunsPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/runs/$organizationId' })
  const search = useSearch({ from: '/shell/runs/$organizationId' })
  const { data: me } = useQuery(meQuery())
  const now = useNow()
  const filter = toFilter(search, { myId: me?.id, now: new Date(now) })
  const runs = useInfiniteQuery(runPagesQuery(organizationId, filter))
  const { data: waiting } = useQuery(runsQuery(organizationId, { status: statusesOf.needs }, 20))
  const { data: repos } = useQuery(reposQuery(organizationId))
  const needing = waiting?.total ?? 0
  useEffect(() => {
    document.title = needing ? `${countOf(needing, 'run needs', 'runs need')} you · Runwright` : 'Runs · Runwright'
  }, [needing])
  const isPlain = !Object.keys(search).length
  const groups = runs.data ? groupRuns(runs.data.items, { waiting: isPlain ? (waiting?.items ?? []) : [], now }) : []
  const shown = groups.flatMap(({ runs }) => runs)
  const selection = useSelection(shown.map(({ id }) => id))
  const list = useRows(selection)
  const repoNames = new Map(repos?.map(({ id, name }) => [id, name]))
  return (
    <main className="page" id="main">
      <div className="content runs-page">
        <h1 className="sr-only">Runs</h1>
        <StartRun key={organizationId} organizationId={organizationId} />
        <RunsTools organizationId={organizationId} needing={needing} />
        <FilterChips organizationId={organizationId} />
        <div className="runs" ref={list} data-selecting={selection.ids.size > 0 || undefined}>
          {runs.error && <Fault error={runs.error} onAgain={() => void runs.refetch()} />}
          {runs.isPending && <Skeleton rows={8} height={52} />}
          {groups.map(({ name, runs }) => (
            <RunsGroup key={name} name={name} runs={runs} repoNames={repoNames} selection={selection} />
          ))}
          {runs.data?.total === 0 && <Nothing organizationId={organizationId} isPlain={isPlain} q={search.q} />}
        </div>
        {runs.data && runs.hasNextPage && (
          <End
            shown={runs.data.items.length}
            total={runs.data.total}
            isBusy={runs.isFetching || runs.isError}
            onReach={() => void runs.fetchNextPage()}
          />
        )}
        <SelectionBar
          organizationId={organizationId}
          runs={shown.filter(({ id }) => selection.has(id))}
          onClear={selection.clear}
        />
      </div>
    </main>
  )
}

type EndProps = { shown: number; total: number; isBusy: boolean; onReach: () => void }

/** Reads on as soon as the end of the list comes near, and again where a list that was read anew took the place of the page that was asked for. */
function End({ shown, total, isBusy, onReach }: EndProps): ReactElement {
  const node = useRef<HTMLParagraphElement>(null)
  const reach = useRef(onReach)
  reach.current = onReach
  useEffect(() => {
    if (isBusy) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) reach.current()
      },
      { rootMargin: '800px' },
    )
    observer.observe(node.current!)
    return () => observer.disconnect()
  }, [isBusy])
  return (
    <p className="row older faint small" ref={node}>
      {formatCount(shown)} of {countOf(total, 'run')}
    </p>
  )
}

type NothingProps = { organizationId: number; isPlain: boolean; q: string | undefined }

function Nothing({ organizationId, isPlain, q }: NothingProps): ReactElement {
  if (isPlain) {
    return (
      <>
        <Empty icon="runs" title="No runs yet">
          Describe a task above to start your first run.
        </Empty>
        <FirstSteps organizationId={organizationId} />
      </>
    )
  }
  return (
    <Empty icon="search" title="No matching runs">
      {q ? `Nothing in prompts, titles or results matches “${q}”.` : 'Remove a filter to see more runs.'}
    </Empty>
  )
}

/** J and K move the focus from row to row; X selects, with Shift a range. */
function useRows(selection: Selection): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()
  const move = (step: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('.run-row .title a') ?? [])]
    const at = links.indexOf(document.activeElement?.closest('.run-row')?.querySelector('.title a') as HTMLElement)
    links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
  }
  const select = (isRange: boolean) => {
    const id = Number(document.activeElement?.closest<HTMLElement>('.run-row')?.dataset['run'])
    if (id) selection.toggle(id, isRange)
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => select(false),
    X: () => select(true),
    Escape: () => selection.clear(),
    '/': () => focus('[data-search]'),
    n: () => focus('[data-start]'),
  })
  return list
}
