import type { AgentRun } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { toast } from '#ui/toasts.tsx'

type Props = { run: AgentRun; onClose: () => void }

export function DeleteDialog({ run: { organization_id: organizationId, id, branch }, onClose }: Props): ReactElement {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => client.runs.deleteRun({ org_id: organizationId, agent_run_id: id }),
    onSuccess: async () => {
      toast(`Run ${id} was deleted`)
      await navigate({ to: '/runs/$organizationId', params: { organizationId } })
      queries.removeQueries({ queryKey: ['run', organizationId, id] })
      await queries.invalidateQueries({ queryKey: ['runs', organizationId] })
    },
  })
  return (
    <FormDialog
      title="Delete this run?"
      cancel="Keep it"
      action="Delete the run"
      look="destroy"
      isQuestion
      mutation={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Its log, messages and files are deleted, and nobody can bring them back.{' '}
        {branch ? `What it pushed stays on ${branch}, and so do its pull requests. ` : ''}
        What it cost stays in the usage.
      </p>
    </FormDialog>
  )
}
