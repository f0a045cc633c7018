import type { Integration } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, integrationsQuery, reposQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { nameOfHost } from './name-of-host.ts'

type Props = { organizationId: number; host: Integration & { id: number }; onClose: () => void }

export function RemoveHostDialog({ organizationId, host, onClose }: Props): ReactElement {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.organizations.removeIntegration({ org_id: organizationId, integration_id: host.id }),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: integrationsQuery(organizationId).queryKey }),
        queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey }),
      ])
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Disconnect ${nameOfHost(host)}?`}
      action="Disconnect"
      look="destroy"
      isQuestion
      mutation={remove}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <p>
        Its credentials are deleted immediately. Its repositories stay in the list as not connected, and you can still
        read their runs.
      </p>
    </FormDialog>
  )
}
