import type { ModelProvider } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, modelProvidersQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'

type Props = { organizationId: number; provider: ModelProvider; onClose: () => void }

/** Sets or removes the key of whoever is signed in. It is tried before it is saved. */
export function MyKeyDialog({ organizationId, provider, onClose }: Props): ReactElement {
  const [key, setKey] = useState('')
  const queries = useQueryClient()
  const ids = { org_id: organizationId, model_provider_id: provider.id }
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: modelProvidersQuery(organizationId).queryKey })
    await queries.invalidateQueries({ queryKey: ['models', organizationId] })
    onClose()
  }
  const save = useMutation({
    mutationFn: () => client.modelProviders.saveMemberKey({ ...ids, key: key.trim(), base_url: provider.base_url }),
    onSuccess,
  })
  const remove = useMutation({ mutationFn: () => client.modelProviders.removeMemberKey(ids), onSuccess })
  return (
    <FormDialog
      title={`Your key for ${provider.name}`}
      action={save.isPending ? 'Trying…' : 'Try and save'}
      isReady={key.trim() !== ''}
      mutation={{ isPending: save.isPending || remove.isPending, error: save.error ?? remove.error }}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <p>
        Runs that you start use it in place of the organization’s key. Nobody can read it, and it is sent to{' '}
        {provider.base_url ? <code>{provider.base_url}</code> : 'the provider'} alone.
      </p>
      <TextField
        label="Key"
        hint={
          provider.my_key
            ? `It replaces the one that ends with ${provider.my_key.last4}.`
            : 'An API key, or the token of a subscription where its terms allow that.'
        }
        value={key}
        isSecret
        onChange={setKey}
      />
      {provider.my_key && (
        <div>
          <Button look="sm danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Remove your key
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
