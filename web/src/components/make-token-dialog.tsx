import type { Token } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, tokensQuery } from '#base/api.ts'
import { TextField } from '#ui/text-field.tsx'
import { Choice } from './choice.tsx'
import { expiryOf, ExpiryChoice } from './expiry-choice.tsx'
import { FormDialog } from './form-dialog.tsx'

type Scope = Token['scopes'][number]
const scopes: [Scope | '', string][] = [
  ['', 'Everything I can do'],
  ['read', 'Read only'],
  ['run', 'Read, start and control runs'],
  ['manage', 'Manage repositories, tokens and rules too'],
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
        ...expiryOf(days),
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
      <ExpiryChoice days={days} onChoose={setDays} />
    </FormDialog>
  )
}
