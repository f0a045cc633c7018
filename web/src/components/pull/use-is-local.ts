import type { PullRequest } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { reposQuery } from '#base/api.ts'

/** Whether a pull request is one of the built-in host; undefined until that is known. */
export function useIsLocal({ organization_id: organizationId, repo_id: repoId }: PullRequest): boolean | undefined {
  const { data } = useQuery({
    ...reposQuery(organizationId),
    select: (repos) => repos.find(({ id }) => id === repoId)?.host === 'local',
  })
  return data
}
