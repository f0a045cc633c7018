import type { AgentRun } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client, putRun } from '#base/api.ts'
import { toast } from '#ui/toasts.tsx'

/** Pauses, goes on and stops; each is done when the service says so. */
export function useSteer({ organization_id: organizationId, id }: AgentRun) {
  const queries = useQueryClient()
  const onSuccess = (run: AgentRun) => putRun(queries, run)
  const onError = (error: Error) => toast(error.message)
  return {
    pause: useMutation({
      mutationFn: () => client.runs.pauseRun({ org_id: organizationId, agent_run_id: id }),
      onSuccess,
      onError,
    }),
    resume: useMutation({
      mutationFn: () => client.runs.continueRun({ org_id: organizationId, agent_run_id: id }),
      onSuccess,
      onError,
    }),
    stop: useMutation({
      mutationFn: () => client.runs.cancelRun({ org_id: organizationId, agent_run_id: id }),
      onSuccess,
    }),
  }
}
