import type { PullRequest } from '@runwright/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { pullQuery } from '#base/api.ts'

/** Reads a pull request anew, with all that belongs to it. */
export function useReread({ organization_id: organizationId, repo_id: repoId, number }: PullRequest) {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: pullQuery({ organizationId, repoId, number }).queryKey })
}

/** Shows a pull request as the service has just answered it. */
export function usePutPull() {
  const queries = useQueryClient()
  return (pull: PullRequest) => {
    const { organization_id: organizationId, repo_id: repoId, number } = pull
    queries.setQueryData(pullQuery({ organizationId, repoId, number }).queryKey, pull)
  }
}
