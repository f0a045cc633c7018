import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, issuesKey, type RepoIds } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'

/** Opens an issue, and shows it. */
export function OpenIssueDialog({ place, onClose }: { place: RepoIds; onClose: () => void }): ReactElement {
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const open = useMutation({
    mutationFn: () =>
      client.issues.createIssue({ org_id: place.organizationId, repo_id: place.repoId, title: title.trim(), body }),
    onSuccess: async ({ number }) => {
      void queries.invalidateQueries({ queryKey: issuesKey(place) })
      const to = '/organizations/$organizationId/repos/$repoId/issues/$number'
      await navigate({ to, params: { ...place, number } })
    },
  })
  return (
    <FormDialog
      title="New issue"
      action="Create"
      isReady={title.trim() !== ''}
      mutation={open}
      onSubmit={open.mutate}
      onClose={onClose}
    >
      <TextField label="Title" value={title} onChange={setTitle} />
      <TextField label="Description" value={body} isLong="words" onChange={setBody} />
    </FormDialog>
  )
}
