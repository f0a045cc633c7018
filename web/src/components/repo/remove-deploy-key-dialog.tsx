import type { DeployKey } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, type RepoIds } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { deployKeysQuery } from './queries.ts'

type Props = { ids: RepoIds; deployKey: DeployKey; onClose: () => void }

export function RemoveDeployKeyDialog({ ids, deployKey, onClose }: Props): ReactElement {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      client.repositories.removeDeployKey({
        org_id: ids.organizationId,
        repo_id: ids.repoId,
        deploy_key_id: deployKey.id,
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: deployKeysQuery(ids).queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Remove ${deployKey.title}?`}
      action="Remove key"
      look="destroy"
      isQuestion
      mutation={remove}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <p>Nobody can clone the repository or push to it with this key any longer.</p>
    </FormDialog>
  )
}
