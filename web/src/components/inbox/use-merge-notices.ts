import { useEffect, useRef } from 'react'
import { notify } from './notify.ts'
import { useInbox } from './use-inbox.ts'

/** Notifies of each pull request that becomes ready to be merged while somebody has the page. */
export function useMergeNotices(organizationId: number, myId: number): void {
  const { items = [], readyAt } = useInbox(organizationId, myId)
  const waiting = useRef(new Set<number>())
  useEffect(() => {
    for (const [id, at] of readyAt) {
      const run = items.find((item) => item.run.id === id)?.run
      if (at === null) waiting.current.add(id)
      else if (at && run && waiting.current.delete(id)) notify(run, 'merge', myId)
    }
  })
}
