import type { Integration } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, reposQuery } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'
import { nameOfHost } from './name-of-host.ts'

type Props = { organizationId: number; host: Integration & { id: number }; onClose: () => void }

/** One repository at once, before all of them have been listed, or where they are too many to be. */
export function ConnectRepoDialog({ organizationId, host, onClose }: Props): ReactElement {
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const connect = useMutation({
    mutationFn: () => client.repos.create(organizationId, { integration_id: host.id, full_name: name.trim() }),
    onSuccess: async ({ full_name: fullName }) => {
      await queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey })
      toast(`${fullName} is connected`)
      onClose()
    },
  })
  return (
    <Dialog
      title={`Connect a repository of ${nameOfHost(host)}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            look="primary"
            disabled={!name.includes('/')}
            isBusy={connect.isPending}
            onClick={() => connect.mutate()}
          >
            Connect it
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <TextField label="Full name" hint="With its owner, as acme/web." value={name} onChange={setName} />
        {connect.error && <Fault error={connect.error} />}
      </div>
    </Dialog>
  )
}
