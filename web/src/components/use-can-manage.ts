import { useQuery } from '@tanstack/react-query'
import { roleQuery } from '#base/api.ts'

/** Whether one may do here what takes a MANAGER, so that nothing is offered that would be refused; undefined until it is known. */
export function useCanManage(organizationId: number): boolean | undefined {
  const { data: role } = useQuery(roleQuery(organizationId))
  return role && role !== 'MEMBER'
}
