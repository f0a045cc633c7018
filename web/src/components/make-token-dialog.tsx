import type { Token } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, tokensQuery } from '#base/api.ts'
import { TextField } from '#ui/text-field.tsx'
import { FormDialog } from './form-dialog.tsx'

type Scope = Token['scopes'][number]
const scopes: [Scope | '', string][] = [
  ['', 'Everything I can do'],
  ['read', 'Read only'],
  ['run', 'Read, start and control runs'],
  ['manage', 'Manage repositories, tokens and rules too'],
]
const dayMs = 86_400_000
const lives: [number, string][] = [
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
  [0, 'No expiration'],
]

type Props = { organizationId: number; onMade: (token: string) => void; onClose: () => void }

export function MakeTokenDialog({ organizationId, onMade, onClose }: Props): ReactElement {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope | ''>('run')
  const [days, setDays] = useState(90)
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () =>
      client.tokens.createToken({
        org_id: organizationId,
        name: name.trim(),
        ...(scope ? { scopes: [scope] } : {}),
        ...(days ? { expires_at: new Date(Date.now() + days * dayMs).toISOString() } : {}),
      }),
    onSuccess: ({ token }) => {
      void queries.invalidateQueries({ queryKey: tokensQuery(organizationId).queryKey })
      if (token) onMade(token)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Create a token"
      action="Create token"
      isReady={name.trim() !== ''}
      mutation={make}
      onSubmit={make.mutate}
      onClose={onClose}
    >
      <TextField label="Name" hint="What you will use it for." value={name} onChange={setName} />
      <Choice label="Access" value={scope} choices={scopes} onChoose={setScope} />
      <Choice label="Expires after" value={days} choices={lives} onChoose={setDays} />
    </FormDialog>
  )
}

type ChoiceProps<Value> = { label: string; value: Value; choices: [Value, string][]; onChoose: (value: Value) => void }

function Choice<Value extends string | number>({ label, value, choices, onChoose }: ChoiceProps<Value>): ReactElement {
  return (
    <fieldset className="field choice">
      <legend className="label">{label}</legend>
      {choices.map(([one, word]) => (
        <label key={one} className="check">
          <input type="radio" name={label} checked={one === value} onChange={() => onChoose(one)} />
          <span>{word}</span>
        </label>
      ))}
    </fieldset>
  )
}
