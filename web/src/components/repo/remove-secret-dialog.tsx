import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, type RepoIds } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { secretsQuery } from './queries.ts'

export function RemoveSecretDialog({
  ids,
  name,
  onClose,
}: {
  ids: RepoIds
  name: string
  onClose: () => void
}): ReactElement {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.secrets.removeRepoSecret({ org_id: ids.organizationId, name, repo_id: ids.repoId }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: secretsQuery(ids).queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Remove ${name}?`}
      action="Remove"
      look="destroy"
      isQuestion
      mutation={remove}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <p>Commands of later runs won't find it. The value can't be restored.</p>
    </FormDialog>
  )
}
