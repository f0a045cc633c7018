import type { Integration } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, reposQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'
import { nameOfHost } from './name-of-host.ts'

type Props = { organizationId: number; host: Integration & { id: number }; onClose: () => void }

/** Adds one repository right away, before the first sync has listed them all, or where there are too many to list. */
export function ConnectRepoDialog({ organizationId, host, onClose }: Props): ReactElement {
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const connect = useMutation({
    mutationFn: () =>
      client.repositories.createRepo({ org_id: organizationId, integration_id: host.id, full_name: name.trim() }),
    onSuccess: async ({ full_name: fullName }) => {
      await queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey })
      toast(`${fullName} is connected`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Add a repository from ${nameOfHost(host)}`}
      action="Add repository"
      isReady={name.includes('/')}
      mutation={connect}
      onSubmit={connect.mutate}
      onClose={onClose}
    >
      <TextField label="Full name" hint="Owner and name, for example acme/web." value={name} onChange={setName} />
    </FormDialog>
  )
}
