import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactElement } from 'react'
import { diffQuery } from '#api.ts'
import { DiffTable } from '#ui/diff-table.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { readDiff, type DiffFile } from '#ui/read-diff.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Fault } from '#components/fault.tsx'
import { hasEnded } from '#components/status.ts'

/** A file that changed more is folded at first. */
const openLinesMax = 400

/** What the run has changed, file by file. */
export function Changes({ run }: { run: AgentRun }): ReactElement {
  const { data, error, isPending, refetch } = useQuery(
    diffQuery({ organizationId: run.organization_id, runId: run.id }),
  )
  const files = useMemo(() => readDiff(data ?? '').filter(({ path }) => path), [data])
  if (error) return <Fault error={error} onAgain={() => void refetch()} />
  if (isPending) return <Skeleton rows={6} height={38} />
  if (!files.length) {
    return (
      <Empty icon="diff" title="Nothing changed">
        {hasEnded(run.status)
          ? 'This run left all files as they were.'
          : 'What the agent changes stands here once it is pushed, at the end of the turn.'}
      </Empty>
    )
  }
  const [added, removed] = [
    files.reduce((sum, file) => sum + file.added, 0),
    files.reduce((sum, file) => sum + file.removed, 0),
  ]
  return (
    <div className="pane">
      <div className="row wrap">
        <span className="strong">{files.length === 1 ? '1 file' : `${files.length} files`}</span>
        <span className="stat">
          <span className="p">+{added}</span> <span className="m">−{removed}</span>
        </span>
        {run.base_branch && (
          <span className="dim xs">
            since <code>{run.base_branch}</code>
          </span>
        )}
      </div>
      {files.map((file) => (
        <FileChange key={file.path} file={file} />
      ))}
    </div>
  )
}

function FileChange({ file }: { file: DiffFile }): ReactElement {
  const [isOpen, setOpen] = useState(file.added + file.removed <= openLinesMax)
  const cut = file.path.lastIndexOf('/') + 1
  return (
    <section className="file" aria-label={file.path}>
      <header>
        <button className="file-fold" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="chev" className="fold" />
          <span className="path">
            <span>{file.path.slice(0, cut)}</span>
            {file.path.slice(cut)}
          </span>
          <span className="stat">
            <span className="p">+{file.added}</span> <span className="m">−{file.removed}</span>
          </span>
        </button>
      </header>
      {isOpen &&
        (file.hunks.length ? (
          <DiffTable hunks={file.hunks} label={file.path} />
        ) : (
          <p className="pane dim xs">{file.isBinary ? 'A binary file.' : 'No lines changed.'}</p>
        ))}
    </section>
  )
}
