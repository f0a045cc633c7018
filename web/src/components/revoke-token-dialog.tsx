import type { Token } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, tokensQuery } from '#base/api.ts'
import { FormDialog } from './form-dialog.tsx'

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
    mutationFn: () => client.tokens.revokeToken({ org_id: organizationId, token_id: token.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: tokensQuery(organizationId).queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Revoke ${token.name ?? 'this token'}?`}
      action="Revoke token"
      look="destroy"
      isQuestion
      mutation={revoke}
      onSubmit={revoke.mutate}
      onClose={onClose}
    >
      <p>
        Programs that use it lose access immediately, and browsers that signed in with it are signed out. Runs it
        started continue.
      </p>
    </FormDialog>
  )
}
