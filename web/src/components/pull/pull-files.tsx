import type { PullRequest, PullRequestComment } from '@runwright/sdk'
import { useMemo, useState, type ReactElement } from 'react'
import { Empty } from '#ui/empty.tsx'
import type { LineTalk } from '#ui/diff-table.tsx'
import type { DiffFile } from '#ui/read-diff.ts'
import { FileChange } from '#components/file-change.tsx'
import { CommentForm } from './comment-form.tsx'
import { isAt, placeOf, type Place } from './place.ts'
import { PullComment } from './pull-comment.tsx'

type Props = { pull: PullRequest; comments: PullRequestComment[] }

/** Everything that it changes, with what was said of single lines under them. */
export function PullFiles({ pull, files, comments }: Props & { files: DiffFile[] }): ReactElement {
  // What was said of other commits may be about other lines: the conversation tells it.
  const current = useMemo(
    () => comments.filter(({ path, head_commit: head }) => path !== null && head === pull.head_commit),
    [comments, pull.head_commit],
  )
  if (!files.length) {
    return (
      <Empty icon="diff" title="Nothing changed">
        {pull.head_branch_name} holds nothing that {pull.base_branch_name} does not.
      </Empty>
    )
  }
  return (
    <div>
      {files.map((file) => (
        <PullFile key={file.path} pull={pull} file={file} comments={current} />
      ))}
    </div>
  )
}

function PullFile({ pull, file, comments }: Props & { file: DiffFile }): ReactElement {
  const [picked, setPicked] = useState<Place | null>(null)
  const talk = useMemo<LineTalk>(
    () => ({
      onPick: (line) => setPicked(placeOf(file, line)),
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
            {isPicked && <CommentForm pull={pull} place={place} onClose={() => setPicked(null)} />}
          </div>
        )
      },
    }),
    [pull, file, comments, picked],
  )
  return <FileChange file={file} talk={talk} />
}
