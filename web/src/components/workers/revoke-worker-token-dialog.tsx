import type { WorkerToken } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, workerTokensQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'

type Props = { organizationId: number; token: WorkerToken; onClose: () => void }

export function RevokeWorkerTokenDialog({ organizationId, token, onClose }: Props): ReactElement {
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => client.workers.revokeWorkerToken({ org_id: organizationId, worker_token_id: token.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: workerTokensQuery(organizationId).queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Revoke ${token.name}?`}
      action="Revoke token"
      look="destroy"
      isQuestion
      mutation={revoke}
      onSubmit={revoke.mutate}
      onClose={onClose}
    >
      <p>Workers that use it are disconnected within seconds. Other workers continue their runs.</p>
    </FormDialog>
  )
}
