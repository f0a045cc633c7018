import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, type RepoIds } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { deployKeysQuery } from './queries.ts'

export function AddDeployKeyDialog({ ids, onClose }: { ids: RepoIds; onClose: () => void }): ReactElement {
  const [title, setTitle] = useState('')
  const [key, setKey] = useState('')
  const [canPush, setCanPush] = useState(false)
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: () =>
      client.repositories.createDeployKey({
        org_id: ids.organizationId,
        repo_id: ids.repoId,
        title: title.trim(),
        key: key.trim(),
        can_push: canPush,
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: deployKeysQuery(ids).queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Add a deploy key"
      action="Add key"
      isReady={title.trim() !== '' && key.trim() !== ''}
      mutation={add}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label="Title"
        hint="Who has the key, such as the name of a server."
        value={title}
        onChange={setTitle}
      />
      <TextField
        label="Public key"
        hint="The line of the .pub file. Make a key with: ssh-keygen -t ed25519"
        isLong
        value={key}
        onChange={setKey}
      />
      <label className="check">
        <input type="checkbox" checked={canPush} onChange={({ target }) => setCanPush(target.checked)} />
        <span>Allow pushes. The branch rules of the repository apply.</span>
      </label>
    </FormDialog>
  )
}
