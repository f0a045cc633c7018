import type { Repository } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, reposQuery, roleQuery, type RepoIds } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'

type Props = { ids: RepoIds; repo: Repository; onClose: () => void }

/** What cannot be undone: the name is typed. Only an ADMIN is offered to delete the runs, too. */
export function RemoveRepoDialog({ ids, repo, onClose }: Props): ReactElement {
  const [typed, setTyped] = useState('')
  const [takesRuns, setTakesRuns] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { organizationId, repoId } = ids
  const { data: role } = useQuery(roleQuery(organizationId))
  const remove = useMutation({
    mutationFn: () =>
      client.repositories.removeRepo({
        org_id: organizationId,
        repo_id: repoId,
        ...(takesRuns && { delete_runs: true }),
      }),
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
          ? 'Its code, branches, pull requests, issues, secrets and settings are deleted, and nobody can bring them back.'
          : 'Its pull requests, secrets and settings are deleted here, and nobody can bring them back. Nothing changes on GitHub.'}{' '}
        {takesRuns ? 'What its runs cost stays in the usage.' : 'Its runs and their logs stay, without diffs.'}
      </p>
      {role === 'ADMIN' && (
        <label className="check">
          <input type="checkbox" checked={takesRuns} onChange={({ target }) => setTakesRuns(target.checked)} />
          Delete its runs, too
        </label>
      )}
      <TextField label={`Type ${repo.name} to confirm`} value={typed} onChange={setTyped} />
    </FormDialog>
  )
}
