import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#api.ts'
import { inboxQuery, isUnread, toItems, useWishes } from './inbox.ts'

/** How many items of the inbox this person has not read. */
export function useUnread(organizationId: number): number {
  const { data: me } = useQuery(meQuery())
  const myId = me?.id ?? 0
  const { data } = useQuery({ ...inboxQuery(organizationId, myId), enabled: myId > 0 })
  const wishes = useWishes(organizationId, myId)
  return toItems(data?.items ?? [], wishes).filter((item) => isUnread(item, wishes)).length
}
