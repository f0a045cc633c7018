import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, usersQuery } from '#api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'
import { Fault } from './fault.tsx'

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
    mutationFn: () => client.members.create(organizationId, { email: email.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: usersQuery(organizationId).queryKey })
      toast(`${email.trim()} was added`)
      onClose()
    },
  })
  const isEmail = email.includes('@')
  return (
    <Dialog
      title="Invite someone"
      onClose={onClose}
      onSubmit={() => isEmail && invite.mutate()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!isEmail} isBusy={invite.isPending}>
            Invite
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <TextField
          label="Email address"
          hint="They sign in with your identity provider, or with a token that you create for them."
          value={email}
          onChange={setEmail}
        />
        {invite.error && <Fault error={invite.error} />}
      </div>
    </Dialog>
  )
}
