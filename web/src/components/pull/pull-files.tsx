import type { PullRequest, PullRequestComment } from '@runwright/sdk'
import { useMemo, useRef, useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import type { LineTalk } from '#ui/diff-rows.tsx'
import { Notice } from '#ui/notice.tsx'
import type { DiffFile, DiffLine } from '#ui/read-diff.ts'
import { DiffFiles } from '#components/diff/diff-files.tsx'
import type { FileProps } from '#components/diff/file-change.tsx'
import { FileChange } from '#components/diff/file-change.tsx'
import type { ReadLines } from '#components/diff/use-expanded.ts'
import { CommentForm } from './comment-form.tsx'
import { groupThreads } from './group-threads.ts'
import { isAt, placeOf, type Place } from './place.ts'
import { PullThread } from './pull-thread.tsx'
import { useIsLocal } from './use-is-local.ts'

type Props = { pull: PullRequest; comments: PullRequestComment[] }

/** Everything that it changes, with the comments on single lines below them. */
export function PullFiles({ pull, files, comments }: Props & { files: DiffFile[] }): ReactElement {
  // What was said of other commits may be about other lines: the conversation tells it.
  const current = useMemo(
    () => comments.filter(({ path, head_commit: head }) => path !== null && head === pull.head_commit),
    [comments, pull.head_commit],
  )
  if (!files.length) {
    return (
      <Empty icon="diff" title="No changes">
        {pull.head_branch_name} has nothing that is not in {pull.base_branch_name}.
      </Empty>
    )
  }
  return (
    <DiffFiles files={files} scope={`pull ${pull.organization_id}/${pull.id}`}>
      {(file, props) => <PullFile key={file.path} pull={pull} comments={current} {...props} />}
    </DiffFiles>
  )
}

function PullFile({ pull, comments, ...rest }: Props & FileProps): ReactElement {
  const { file } = rest
  const [picked, setPicked] = useState<Place | null>(null)
  // Where the focus was, to which it returns.
  const from = useRef<Element | null>(null)
  const isLocal = useIsLocal(pull)
  const talk = useMemo<LineTalk>(() => {
    const isRefused = ({ isExtra = false }: DiffLine) => isExtra && !isLocal
    const close = () => {
      setPicked(null)
      if (from.current instanceof HTMLElement) from.current.focus()
    }
    return {
      onPick: (line) => {
        from.current = document.activeElement
        setPicked(placeOf(file, line))
      },
      under: (line) => {
        const place = placeOf(file, line)
        const threadsHere = groupThreads(comments.filter((comment) => isAt(place, comment)))
        const isPicked = picked !== null && isAt(place, picked)
        if (!threadsHere.length && !isPicked) return null
        return (
          <div className="stack line-talk">
            {threadsHere.map((thread) => (
              <PullThread key={thread.first.id ?? thread.first.url} pull={pull} thread={thread} />
            ))}
            {isPicked && isRefused(line) && (
              <Notice
                action={
                  <Button look="ghost sm" onClick={close}>
                    Close
                  </Button>
                }
              >
                GitHub accepts comments only on changed lines and the lines right around them.
              </Notice>
            )}
            {isPicked && !isRefused(line) && (
              <CommentForm
                pull={pull}
                place={place}
                suggested={line.after === null ? undefined : line.text}
                onClose={close}
              />
            )}
          </div>
        )
      },
    }
  }, [pull, file, comments, picked, isLocal])
  const talked = useMemo(
    () =>
      comments.flatMap(({ path, line, side }) =>
        path === file.path && side === 'head' && line !== null ? [line] : [],
      ),
    [comments, file.path],
  )
  const read = useMemo<ReadLines>(() => (from, to) => readLines(pull, { path: file.path, from, to }), [pull, file.path])
  return <FileChange {...rest} talk={talk} read={read} talked={talked} />
}

type Wanted = { path: string; from: number; to: number | null }

/** Lines of a file at the commit that the page shows. */
async function readLines(pull: PullRequest, { path, from, to }: Wanted): ReturnType<ReadLines> {
  const query = { path, from, ...(to !== null && { to }) }
  const {
    kind,
    commit,
    lines,
    total_lines: total,
  } = await client.pullRequests.getPullFile({ org_id: pull.organization_id, pr_id: pull.id, ...query })
  if (commit !== pull.head_commit) throw new Error('The branch changed. The page shows its latest commit in a moment.')
  if (kind !== 'text' || total === null)
    throw new Error(kind === 'binary' ? 'Binary file.' : 'Hidden: secrets are redacted.')
  return { lines, total }
}
