import type { PullRequest } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { FormDialog } from '#components/form-dialog.tsx'

const words = {
  merge: { title: 'Merge this pull request?', what: 'A merge commit brings all its commits into' },
  squash: { title: 'Squash and merge this pull request?', what: 'All its changes become one commit on' },
  rebase: { title: 'Rebase and merge this pull request?', what: 'Its commits are added one by one to' },
}

type Props = {
  pull: PullRequest
  method: keyof typeof words
  isBusy: boolean
  onMerge: () => void
  onClose: () => void
}

/** Asks before the base branch moves. */
export function MergeDialog({ pull, method, isBusy, onMerge, onClose }: Props): ReactElement {
  return (
    <FormDialog
      title={words[method].title}
      action="Confirm merge"
      isQuestion
      mutation={{ isPending: isBusy }}
      onSubmit={onMerge}
      onClose={onClose}
    >
      <p>
        {words[method].what} <code>{pull.base_branch_name}</code>, up to{' '}
        <code className="mono">{pull.head_commit.slice(0, 7)}</code> of <code>{pull.head_branch_name}</code>. The branch
        is kept.
      </p>
    </FormDialog>
  )
}
