import { useEffect, useEffectEvent } from 'react'

/** What a key does on this page, outside of fields and dialogs. */
export type Keys = Record<string, (event: KeyboardEvent) => void>

const writes = 'input, textarea, select, dialog, [contenteditable]'

/** Letters by themselves; with Ctrl or Command as `Ctrl+k`, which works in fields too. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    if (event.altKey || event.isComposing) return
    if (!isCommand && event.target instanceof Element && event.target.closest(writes)) return
    const act = keys[isCommand ? `Ctrl+${event.key.toLowerCase()}` : event.key]
    if (!act) return
    event.preventDefault()
    act(event)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
