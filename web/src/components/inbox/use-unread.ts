import { useQuery } from '@tanstack/react-query'
import { inboxQuery } from './inbox.ts'

/** How many items of the inbox this person has not read. */
export function useUnread(organizationId: number): number {
  const { data } = useQuery(inboxQuery(organizationId))
  return data?.items.filter(({ read_at: readAt }) => readAt === null).length ?? 0
}
