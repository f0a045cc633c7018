import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { diffQuery } from '#base/api.ts'
import { Empty } from '#ui/empty.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Fault } from '#components/fault.tsx'
import { DiffFiles } from '#components/diff/diff-files.tsx'
import { readFiles } from '#components/diff/read-files.ts'
import { hasEnded } from '#base/status.ts'

/** What the run has changed, file by file. */
export function Changes({ run }: { run: AgentRun }): ReactElement {
  const {
    data: files,
    error,
    isPending,
    refetch,
  } = useQuery({ ...diffQuery({ organizationId: run.organization_id, runId: run.id }), select: readFiles })
  if (error) return <Fault error={error} onAgain={() => void refetch()} />
  if (isPending) return <Skeleton rows={6} height={38} />
  if (!files.length) {
    return (
      <Empty icon="diff" title="No changes">
        {hasEnded(run.status)
          ? 'This run changed no files.'
          : 'Changes appear here once they are pushed, at the end of the turn.'}
      </Empty>
    )
  }
  return (
    <div className="pane">
      <DiffFiles
        files={files}
        scope={`run ${run.organization_id}/${run.id}`}
        note={
          run.base_branch && (
            <span className="faint small">
              since <code>{run.base_branch}</code>
            </span>
          )
        }
      />
    </div>
  )
}
