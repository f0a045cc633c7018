import type { Token } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, tokensQuery } from '#api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Fault } from './fault.tsx'

export function RevokeTokenDialog({
  organizationId,
  token,
  onClose,
}: {
  organizationId: number
  token: Token
  onClose: () => void
}): ReactElement {
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => client.tokens.revoke(organizationId, token.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: tokensQuery(organizationId).queryKey })
      onClose()
    },
  })
  return (
    <Dialog
      title={`Revoke ${token.name ?? 'this token'}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="destroy" data-first isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
            Revoke token
          </Button>
        </>
      }
    >
      <p>
        Programs that use it lose access immediately, and browsers that signed in with it are signed out. Runs it
        started continue.
      </p>
      {revoke.error && <Fault error={revoke.error} />}
    </Dialog>
  )
}
