import { useQuery } from '@tanstack/react-query'
import { usersQuery } from '#base/api.ts'

/** What people are called. */
export function useNames(organizationId: number): (userId: number) => string {
  const { data: users } = useQuery(usersQuery(organizationId))
  return (userId) => {
    const user = users?.find(({ id }) => id === userId)
    return user?.full_name ?? user?.email ?? `User ${userId}`
  }
}
