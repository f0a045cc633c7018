import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, usersQuery } from '#base/api.ts'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'
import { FormDialog } from './form-dialog.tsx'

/** Adds somebody by email address; they sign in with the identity provider, or with a token. */
export function InviteDialog({
  organizationId,
  onClose,
}: {
  organizationId: number
  onClose: () => void
}): ReactElement {
  const [email, setEmail] = useState('')
  const queries = useQueryClient()
  const invite = useMutation({
    mutationFn: () => client.organizations.createMember({ org_id: organizationId, email: email.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: usersQuery(organizationId).queryKey })
      toast(`${email.trim()} was added`)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Invite someone"
      action="Invite"
      isReady={email.includes('@')}
      mutation={invite}
      onSubmit={invite.mutate}
      onClose={onClose}
    >
      <TextField
        label="Email address"
        hint="They sign in with your identity provider, or with a token that you create for them."
        value={email}
        onChange={setEmail}
      />
    </FormDialog>
  )
}
