import type { Repository } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, reposQuery, type RepoIds } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'

type Props = { ids: RepoIds; repo: Repository; onClose: () => void }

/** What cannot be undone: the name is typed. */
export function RemoveRepoDialog({ ids, repo, onClose }: Props): ReactElement {
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { organizationId, repoId } = ids
  const remove = useMutation({
    mutationFn: () => client.repositories.removeRepo({ org_id: organizationId, repo_id: repoId }),
    onSuccess: async () => {
      await navigate({ to: '/organizations/$organizationId/repos', params: { organizationId } })
      toast(`${repo.name} removed`)
      queries.removeQueries({ queryKey: [...reposQuery(organizationId).queryKey, 'one', repoId] })
      await queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey })
    },
  })
  return (
    <FormDialog
      title={`Remove ${repo.name}?`}
      action="Remove"
      look="destroy"
      isReady={typed.trim() === repo.name}
      mutation={remove}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <p>
        {repo.host === 'local'
          ? 'Its code, branches, secrets and snapshots are deleted and cannot be restored. Runs and their logs stay, without diffs.'
          : 'Its secrets and snapshots are deleted here. Runs and their logs stay. Nothing changes on GitHub.'}
      </p>
      <TextField label={`Type ${repo.name} to confirm`} value={typed} onChange={setTyped} />
    </FormDialog>
  )
}
