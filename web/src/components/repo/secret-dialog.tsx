import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, type RepoIds } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'
import { secretsQuery } from './queries.ts'

/** The service takes no shorter value: it could not be told from ordinary text. */
const bytesMin = 8

/** A new secret, or another value for one that has a name already. */
export function SecretDialog({
  ids,
  name: fixed,
  onClose,
}: {
  ids: RepoIds
  name: string | null
  onClose: () => void
}): ReactElement {
  const [typed, setTyped] = useState('')
  const [value, setValue] = useState('')
  const queries = useQueryClient()
  const name = fixed ?? typed.trim()
  const save = useMutation({
    mutationFn: () => client.secrets.saveRepoSecret({ org_id: ids.organizationId, name, value, repo_id: ids.repoId }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: secretsQuery(ids).queryKey })
      toast(`${name} saved`)
      onClose()
    },
  })
  const isShort = value !== '' && new TextEncoder().encode(value).length < bytesMin
  return (
    <FormDialog
      title={fixed === null ? 'Add a secret' : `Replace ${fixed}`}
      action="Save"
      isReady={name !== '' && value !== '' && !isShort}
      mutation={save}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      {fixed === null && (
        <TextField label="Name" hint="The environment variable, such as NPM_TOKEN." value={typed} onChange={setTyped} />
      )}
      <TextField
        label="Value"
        isSecret
        hint="It can't be read back."
        value={value}
        error={isShort ? `At least ${bytesMin} characters.` : undefined}
        onChange={setValue}
      />
    </FormDialog>
  )
}
