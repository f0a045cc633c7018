import type { ModelProvider } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, modelProvidersQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'

type Props = { organizationId: number; provider: ModelProvider; onClose: () => void }

export function RemoveModelProviderDialog({ organizationId, provider, onClose }: Props): ReactElement {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      client.modelProviders.removeModelProvider({ org_id: organizationId, model_provider_id: provider.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: modelProvidersQuery(organizationId).queryKey })
      await queries.invalidateQueries({ queryKey: ['models', organizationId] })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Remove ${provider.name}?`}
      action="Remove provider"
      look="destroy"
      isQuestion
      mutation={remove}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <p>Its key is deleted, and runs can no longer use its models.</p>
    </FormDialog>
  )
}
