import type { Integration } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, integrationsQuery, reposQuery } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { nameOfHost } from './name-of-host.ts'

type Props = { organizationId: number; host: Integration & { id: number }; onClose: () => void }

export function RemoveHostDialog({ organizationId, host, onClose }: Props): ReactElement {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.integrations.remove(organizationId, host.id),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: integrationsQuery(organizationId).queryKey }),
        queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey }),
      ])
      onClose()
    },
  })
  return (
    <Dialog
      title={`Disconnect ${nameOfHost(host)}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="destroy" data-first isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Disconnect
          </Button>
        </>
      }
    >
      <p>
        Its credentials are deleted immediately. Its repositories stay in the list as not connected, and you can still
        read their runs.
      </p>
      {remove.error && <Fault error={remove.error} />}
    </Dialog>
  )
}
