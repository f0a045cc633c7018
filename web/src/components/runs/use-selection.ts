import { useRef, useState } from 'react'

export type Selection = {
  ids: Set<number>
  has: (id: number) => boolean
  toggle: (id: number, isRange?: boolean) => void
  clear: () => void
}

/** The rows that are selected. `order` is how they are shown, for a range. */
export function useSelection(order: number[]): Selection {
  const [ids, setIds] = useState<Set<number>>(new Set())
  const last = useRef<number | null>(null)
  const toggle = (id: number, isRange = false) => {
    const from = last.current === null ? -1 : order.indexOf(last.current)
    const to = order.indexOf(id)
    last.current = id
    setIds((before) => {
      const next = new Set(before)
      if (isRange && from >= 0) for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one)
      else if (!next.delete(id)) next.add(id)
      return next
    })
  }
  return { ids, has: (id) => ids.has(id), toggle, clear: () => setIds(new Set()) }
}
