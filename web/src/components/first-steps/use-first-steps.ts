import { useQuery } from '@tanstack/react-query'
import { integrationsQuery, modelsQuery, reposQuery, runsQuery, usersQuery } from '#base/api.ts'
import { useCanManage } from '#components/use-can-manage.ts'

export type Steps = Record<'model' | 'repo' | 'run' | 'host' | 'people', boolean>

/** Which of the first steps are done; null for those who may not do them, and until all is known. */
export function useFirstSteps(organizationId: number): Steps | null {
  const canManage = useCanManage(organizationId) === true
  const enabled = canManage
  const { data: models } = useQuery({ ...modelsQuery(organizationId), enabled })
  const { data: repos } = useQuery({ ...reposQuery(organizationId), enabled })
  const { data: runs } = useQuery({ ...runsQuery(organizationId, {}, 1), enabled })
  const { data: hosts } = useQuery({ ...integrationsQuery(organizationId), enabled, refetchInterval: false })
  const { data: users } = useQuery({ ...usersQuery(organizationId), enabled })
  if (!models || !repos || !runs || !hosts || !users) return null
  return {
    model: models.some(({ available }) => available),
    repo: repos.length > 0,
    run: runs.total > 0,
    host: hosts.length > 0,
    people: users.length > 1,
  }
}
