import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, reposQuery } from '#base/api.ts'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'
import { FormDialog } from './form-dialog.tsx'

/** An empty repository on the built-in host, or an import. */
export function AddRepoDialog({
  organizationId,
  onClose,
}: {
  organizationId: number
  onClose: () => void
}): ReactElement {
  const [name, setName] = useState('')
  const [from, setFrom] = useState('')
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: () =>
      client.repositories.createRepo({
        org_id: organizationId,
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(from.trim() ? { import_from: from.trim() } : {}),
      }),
    onSuccess: (repo) => {
      void queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey })
      toast(`${repo.name} added`)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Add a repository"
      action={from.trim() ? 'Import' : 'Create'}
      isReady={name.trim() !== '' || from.trim() !== ''}
      mutation={add}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Letters, digits, dots and dashes. Leave empty to use the name in the URL."
        value={name}
        onChange={setName}
      />
      <TextField
        label="Import from URL"
        hint="The URL of a Git repository. Leave empty to create an empty one."
        value={from}
        onChange={setFrom}
      />
    </FormDialog>
  )
}
