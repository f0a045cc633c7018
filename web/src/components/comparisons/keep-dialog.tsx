import type { Comparison, Contestant } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { comparisonQuery, type ComparisonIds } from './queries.ts'

type Props = { ids: ComparisonIds; comparison: Comparison; contestant: Contestant; onClose: () => void }

export function KeepDialog({ ids, comparison, contestant, onClose }: Props): ReactElement {
  const { branch, diff, run_id: runId, name } = contestant
  const canOpen = comparison.repo_id !== null && branch !== null && diff !== null
  const [opensPull, setOpensPull] = useState(canOpen)
  const queries = useQueryClient()
  const keep = useMutation({
    mutationFn: () =>
      client.comparisons.keepWinner({
        org_id: ids.organizationId,
        comparison_id: ids.comparisonId,
        run_id: runId,
        open_pull_request: opensPull,
      }),
    onSuccess: (kept) => {
      queries.setQueryData(comparisonQuery(ids).queryKey, kept)
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Keep the work of ${name}?`}
      action="Keep this one"
      isQuestion
      mutation={keep}
      onSubmit={keep.mutate}
      onClose={onClose}
    >
      <p>The branches of the others are deleted. Their runs and logs stay. Runs that are still open are stopped.</p>
      {canOpen && (
        <label className="check">
          <input type="checkbox" checked={opensPull} onChange={({ target }) => setOpensPull(target.checked)} />
          <span>Open a pull request for {branch}</span>
        </label>
      )}
    </FormDialog>
  )
}
