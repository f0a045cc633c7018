import type { AgentRun, AgentRunPage } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactElement, type RefObject } from 'react'
import { meQuery, reposQuery, runsQuery, type RunFilter } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { groupRuns } from '#components/group-runs.ts'
import { RunsGroup } from '#components/runs-group.tsx'
import { RunsTools } from '#components/runs-tools.tsx'
import { StartRun } from '#components/start-run/start-run.tsx'
import { changed, type RunList } from '#search.ts'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatCount } from '#ui/format.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { useKeys } from '#ui/use-keys.ts'

const pageSize = 30
/** An answer of the API holds no more. */
const limitMax = 100

const statusesOf: Record<Exclude<RunList, 'mine'>, AgentRun['status'][]> = {
  needs: ['waiting_for_user'],
  work: ['in_progress', 'queued', 'paused'],
  ended: ['completed', 'failed', 'cancelled'],
}

export function RunsPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/runs/$organizationId' })
  const { show, q, repo, before } = useSearch({ from: '/shell/runs/$organizationId' })
  const { data: me } = useQuery(meQuery())
  const [limit, setLimit] = useState(pageSize)
  const filter: RunFilter = {
    ...(show && show !== 'mine' ? { status: statusesOf[show] } : {}),
    ...(show === 'mine' && me ? { user_id: me.id } : {}),
    ...(q ? { q } : {}),
    ...(repo ? { repo_id: repo } : {}),
    ...(before ? { created_before: before } : {}),
  }
  const runs = useQuery(runsQuery(organizationId, filter, limit))
  const { data: waiting } = useQuery(runsQuery(organizationId, { status: statusesOf.needs }, 20))
  const { data: repos } = useQuery(reposQuery(organizationId))
  const needing = waiting?.total ?? 0
  useEffect(() => {
    document.title = needing ? `${needing} need you · Runwright` : 'Runs · Runwright'
  }, [needing])
  const list = useRows()
  const isPlain = !show && !q && !repo && !before
  const shown = runs.data
    ? groupRuns(runs.data.items, { waiting: isPlain ? (waiting?.items ?? []) : [], now: Date.now() })
    : []
  const repoNames = new Map(repos?.map(({ id, name }) => [id, name]))
  return (
    <main className="page" id="main">
      <div className="content runs-page">
        <h1 className="sr-only">Runs</h1>
        <StartRun organizationId={organizationId} />
        <RunsTools organizationId={organizationId} needing={needing} />
        <div className="runs" ref={list}>
          {runs.error && <Fault error={runs.error} onAgain={() => void runs.refetch()} />}
          {runs.isPending && <Skeleton rows={8} height={52} />}
          {shown.map(({ name, runs }) => (
            <RunsGroup key={name} name={name} runs={runs} repoNames={repoNames} />
          ))}
          {runs.data?.total === 0 && <Nothing isPlain={isPlain} q={q} />}
        </div>
        {runs.data && runs.data.total > runs.data.items.length && (
          <Older
            page={runs.data}
            isBusy={runs.isPlaceholderData}
            onMore={limit < limitMax ? () => setLimit(Math.min(limitMax, limit + pageSize)) : undefined}
          />
        )}
      </div>
    </main>
  )
}

type OlderProps = { page: AgentRunPage; isBusy: boolean; onMore: (() => void) | undefined }

/** More of the list; where it is as long as one answer may be, the runs before its last. */
function Older({ page: { items, total }, isBusy, onMore }: OlderProps): ReactElement {
  const { organizationId } = useParams({ from: '/shell/runs/$organizationId' })
  const last = items.at(-1)
  return (
    <div className="flex items-center gap-2 older">
      <span className="text-ink-3 text-xs">
        {items.length} of {formatCount(total)} runs
      </span>
      {onMore ? (
        <Button look="sm" isBusy={isBusy} onClick={onMore}>
          Show older
        </Button>
      ) : (
        <Link
          className="btn sm"
          to="/runs/$organizationId"
          params={{ organizationId }}
          search={(search) => changed(search, { before: last?.created_at })}
        >
          Older than these
        </Link>
      )}
    </div>
  )
}

function Nothing({ isPlain, q }: { isPlain: boolean; q: string | undefined }): ReactElement {
  if (isPlain) {
    return (
      <Empty icon="runs" title="No runs yet">
        Say above what should be done; the run stands here from then on, and you can watch it work.
      </Empty>
    )
  }
  return (
    <Empty icon="search" title="No run fits">
      {q ? `Prompts, titles and results of all runs were searched for “${q}”.` : 'There is none of this kind now.'}
    </Empty>
  )
}

/** J and K move the focus from row to row. */
function useRows(): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()
  const move = (step: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('.run-row .title a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    '/': () => focus('[data-search]'),
    n: () => focus('[data-start]'),
  })
  return list
}
