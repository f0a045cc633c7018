import type { Snapshot } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, type RepoIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatAgo, formatBytes, formatDuration } from '#ui/format.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Terminal } from '#ui/terminal.tsx'
import { snapshotsQuery } from './queries.ts'
import { Section } from './section.tsx'

const stateWords = { making: 'Building', ready: 'Ready', unfit: 'Not reusable', failed: 'Failed' }
const stateTones = { making: 'in_progress', ready: 'completed', unfit: 'paused', failed: 'failed' }

type Props = { ids: RepoIds; canManage: boolean | undefined }

export function SnapshotsSection({ ids, canManage }: Props): ReactElement {
  const { data, error, isPending, refetch } = useQuery(snapshotsQuery(ids))
  return (
    <Section
      id="snapshots"
      title="Snapshots"
      about="A run starts from the newest snapshot that matches its branch, so setup runs only once."
    >
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={2} height={52} />}
      {data?.items.length === 0 && (
        <Empty icon="box" title="No snapshots yet">
          The next run with setup commands creates one.
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <ul className="panel list">
          {data.items.map((snapshot) => (
            <SnapshotRow key={snapshot.n} ids={ids} snapshot={snapshot} canManage={canManage} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function SnapshotRow({ ids, snapshot, canManage }: Props & { snapshot: Snapshot }): ReactElement {
  const { n, state, base_commit: commit, bytes, setup_ms: ms, problem } = snapshot
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.repositories.removeSnapshot({ org_id: ids.organizationId, repo_id: ids.repoId, n }),
    onSuccess: () => queries.invalidateQueries({ queryKey: snapshotsQuery(ids).queryKey }),
  })
  return (
    <li className="wrap">
      <span className={`tag tone ${stateTones[state]}`}>{stateWords[state]}</span>
      <span className="grow truncate">
        {formatAgo(snapshot.created_at, Date.now())}{' '}
        <span className="faint small">
          · <code className="mono">{commit.slice(0, 7)}</code> · last used {formatAgo(snapshot.used_at, Date.now())}
        </span>
      </span>
      <span className="num faint small hide-phone">{ms === null ? '' : `setup ${formatDuration(ms)}`}</span>
      <span className="num muted small">{bytes === null ? '' : formatBytes(bytes)}</span>
      {canManage && (
        <Button look="ghost sm" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Remove<span className="sr-only"> snapshot {n}</span>
        </Button>
      )}
      {remove.error && <Fault error={remove.error} />}
      {problem && (
        <div className="row-more">
          <p className="muted small">{problem.message}</p>
          {problem.output && <Terminal text={problem.output} label="Output of the command that failed" />}
        </div>
      )}
    </li>
  )
}
