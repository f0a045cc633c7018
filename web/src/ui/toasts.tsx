import { useSyncExternalStore, type ReactElement } from 'react'

const shownMs = 4_000
let shown: { id: number; text: string }[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: typeof shown): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Says something small that can be seen elsewhere too. Never an error. */
export function toast(text: string): void {
  const id = ++last
  change([...shown, { id, text }])
  setTimeout(() => change(shown.filter((one) => one.id !== id)), shownMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts(): ReactElement {
  const items = useSyncExternalStore(subscribe, () => shown)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {items.map(({ id, text }) => (
        <div key={id} className="toast">
          {text}
        </div>
      ))}
    </div>
  )
}
