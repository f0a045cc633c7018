import type { PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { usePutPull, useReread } from './use-reread.ts'

export function DeleteBranchDialog({ pull, onClose }: { pull: PullRequest; onClose: () => void }): ReactElement {
  const reread = useReread(pull)
  const putPull = usePutPull()
  const remove = useMutation({
    mutationFn: () => client.pullRequests.deletePullBranch({ org_id: pull.organization_id, pr_id: pull.id }),
    onSuccess: (now) => {
      putPull(now)
      onClose()
    },
    onSettled: reread,
  })
  return (
    <FormDialog
      title="Delete this branch?"
      action="Delete branch"
      look="destroy"
      isQuestion
      mutation={remove}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <p>
        <code>{pull.head_branch_name}</code> was merged into <code>{pull.base_branch_name}</code>. Its changes stay
        there and on this page.
      </p>
    </FormDialog>
  )
}
