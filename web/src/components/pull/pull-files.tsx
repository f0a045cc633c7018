import type { PullRequest, PullRequestComment } from '@runwright/sdk'
import { useMemo, useRef, useState, type ReactElement } from 'react'
import { Empty } from '#ui/empty.tsx'
import type { LineTalk } from '#ui/diff-rows.tsx'
import type { DiffFile } from '#ui/read-diff.ts'
import { DiffFiles, type FileProps } from '#components/diff/diff-files.tsx'
import { FileChange } from '#components/diff/file-change.tsx'
import { CommentForm } from './comment-form.tsx'
import { isAt, placeOf, type Place } from './place.ts'
import { PullComment } from './pull-comment.tsx'

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
  const talk = useMemo<LineTalk>(
    () => ({
      onPick: (line) => {
        from.current = document.activeElement
        setPicked(placeOf(file, line))
      },
      under: (line) => {
        const place = placeOf(file, line)
        const said = comments.filter((comment) => isAt(place, comment))
        const isPicked = picked !== null && isAt(place, picked)
        if (!said.length && !isPicked) return null
        return (
          <div className="grid grid-cols-1 gap-3 line-talk">
            {said.map((comment) => (
              <PullComment key={comment.id ?? comment.url} pull={pull} comment={comment} />
            ))}
            {isPicked && (
              <CommentForm
                pull={pull}
                place={place}
                suggested={line.after === null ? undefined : line.text}
                onClose={() => {
                  setPicked(null)
                  if (from.current instanceof HTMLElement) from.current.focus()
                }}
              />
            )}
          </div>
        )
      },
    }),
    [pull, file, comments, picked],
  )
  return <FileChange {...rest} talk={talk} />
}
