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
          <Button onClick={onClose}>Keep it</Button>
          <Button look="destroy" data-first isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Disconnect
          </Button>
        </>
      }
    >
      <p>
        Its credentials are forgotten at once. Its repositories stay listed as not connected, and their runs can still
        be read.
      </p>
      {remove.error && <Fault error={remove.error} />}
    </Dialog>
  )
}
