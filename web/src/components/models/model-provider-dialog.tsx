import type { ModelProvider } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, modelProvidersQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { kinds } from './kinds.ts'

type Props = { organizationId: number; provider: ModelProvider | null; onClose: () => void }

/** Adds a model provider, or changes one. What is filled in is tried before it is saved. */
export function ModelProviderDialog({ organizationId, provider, onClose }: Props): ReactElement {
  const [name, setName] = useState(provider?.name ?? '')
  const [kind, setKind] = useState(provider?.kind ?? 'anthropic')
  const [url, setUrl] = useState(provider?.base_url ?? '')
  const [key, setKey] = useState('')
  const [membersOnly, setMembersOnly] = useState(provider?.member_keys_only ?? false)
  const [models, setModels] = useState(provider?.models?.join(', ') ?? '')
  const [input, setInput] = useState(provider?.input_usd?.toString() ?? '')
  const [output, setOutput] = useState(provider?.output_usd?.toString() ?? '')
  const queries = useQueryClient()
  const fields = () => {
    const named = models.split(/[\s,]+/).filter(Boolean)
    return {
      org_id: organizationId,
      base_url: url.trim() || null,
      models: named.length > 0 ? named : null,
      input_usd: priceOf(input),
      output_usd: priceOf(output),
      member_keys_only: membersOnly,
      ...(key.trim() && !membersOnly && { key: key.trim() }),
    }
  }
  const save = useMutation({
    mutationFn: () =>
      provider
        ? client.modelProviders.updateModelProvider({ ...fields(), model_provider_id: provider.id })
        : client.modelProviders.createModelProvider({ ...fields(), name: name.trim(), kind }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: modelProvidersQuery(organizationId).queryKey })
      await queries.invalidateQueries({ queryKey: ['models', organizationId] })
      onClose()
    },
  })
  const isReady = provider !== null || (name.trim() !== '' && (membersOnly || key.trim() !== '' || url.trim() !== ''))
  return (
    <FormDialog
      title={provider ? `Change ${provider.name}` : 'Add a model provider'}
      action={save.isPending ? 'Trying…' : provider ? 'Try and save' : 'Try and add'}
      isReady={isReady && [input, output].every((text) => text.trim() === '' || Number(text) >= 0)}
      mutation={save}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      {!provider && <NameFields {...{ name, setName, kind, setKind }} />}
      <TextField
        label="Address"
        hint={kind === 'openai_chat' ? 'Such as https://models.example.com/v1' : 'Leave empty for the provider’s own.'}
        value={url}
        onChange={setUrl}
      />
      <KeyFields {...{ hasKey: provider?.has_key ?? false, apiKey: key, setKey, membersOnly, setMembersOnly }} />
      <TextField
        label="Models"
        hint="Only these may be used, with commas between them. Leave empty for all."
        value={models}
        onChange={setModels}
      />
      <PriceFields {...{ input, setInput, output, setOutput }} />
    </FormDialog>
  )
}

type NameFieldsProps = {
  name: string
  setName: (name: string) => void
  kind: ModelProvider['kind']
  setKind: (kind: ModelProvider['kind']) => void
}

/** What never changes of a provider. */
function NameFields({ name, setName, kind, setKind }: NameFieldsProps): ReactElement {
  return (
    <>
      <TextField
        label="Name"
        hint="Its models are called name/model. The name anthropic, openai or google replaces the provider of the service."
        value={name}
        onChange={setName}
      />
      <Select label="API" value={kind} choices={kinds} onChange={(value) => setKind(value as ModelProvider['kind'])} />
    </>
  )
}

type KeyFieldsProps = {
  hasKey: boolean
  apiKey: string
  setKey: (key: string) => void
  membersOnly: boolean
  setMembersOnly: (membersOnly: boolean) => void
}

/** Whose key it is asked with. */
function KeyFields({ hasKey, apiKey, setKey, membersOnly, setMembersOnly }: KeyFieldsProps): ReactElement {
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={membersOnly} onChange={({ target }) => setMembersOnly(target.checked)} />
        <span>Members bring their own keys. The organization stores none.</span>
      </label>
      {!membersOnly && (
        <TextField
          label="Key"
          hint={
            hasKey
              ? 'Leave empty to keep the stored key. A new address needs the key again.'
              : 'It is never shown again.'
          }
          value={apiKey}
          isSecret
          onChange={setKey}
        />
      )}
    </>
  )
}

type PriceFieldsProps = {
  input: string
  setInput: (price: string) => void
  output: string
  setOutput: (price: string) => void
}

function PriceFields({ input, setInput, output, setOutput }: PriceFieldsProps): ReactElement {
  return (
    <>
      <TextField
        label="USD per million input tokens"
        hint="Leave both prices empty to use the price list. Runs with a cost limit need a known price."
        value={input}
        onChange={setInput}
      />
      <TextField label="USD per million output tokens" value={output} onChange={setOutput} />
    </>
  )
}

const priceOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
