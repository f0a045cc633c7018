import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#api.ts'
import { isUnread, useWishes } from './inbox.ts'
import { useInbox } from './use-inbox.ts'

/** How many items of the inbox this person has not read. */
export function useUnread(organizationId: number): number {
  const { data: me } = useQuery(meQuery())
  const myId = me?.id ?? 0
  const { items = [] } = useInbox(organizationId, myId)
  const wishes = useWishes(organizationId, myId)
  return items.filter((item) => isUnread(item, wishes)).length
}
