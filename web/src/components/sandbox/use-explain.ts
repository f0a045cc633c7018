import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client } from '#base/api.ts'

/** Starts a run that reads what is kept of a sandbox, and opens it. */
export function useExplain(organizationId: number) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (sandboxId: number) => client.sandboxes.analyzeLogs({ org_id: organizationId, sandbox_id: sandboxId }),
    onSuccess: ({ agent_run_id: runId }) =>
      navigate({ to: '/runs/$organizationId/$runId', params: { organizationId, runId } }),
  })
}
