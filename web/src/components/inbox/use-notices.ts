import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { inboxQuery } from './inbox.ts'
import { notify } from './notify.ts'
import { useNotifies } from './use-notifies.ts'

/** Has the browser tell of each item that comes to the inbox while somebody has the page. */
export function useNotices(organizationId: number, myId: number): void {
  const notifies = useNotifies(organizationId, myId)
  const { data } = useQuery({ ...inboxQuery(organizationId), refetchIntervalInBackground: notifies })
  const newest = useRef<{ organizationId: number; id: number } | null>(null)
  useEffect(() => {
    if (!data) return
    const before = newest.current?.organizationId === organizationId ? newest.current.id : null
    for (const item of data.items) if (notifies && before !== null && item.id > before && !item.read_at) notify(item)
    newest.current = { organizationId, id: Math.max(before ?? 0, ...data.items.map(({ id }) => id)) }
  }, [data, organizationId, notifies])
}
