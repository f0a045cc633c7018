import { useState } from 'react'

const prefix = 'draft '

/**
 * What somebody is typing. It outlives the page and a reload, in this tab, until it is emptied. The last function empties it
 * once it is sent, unless it was typed on meanwhile.
 */
export function useDraft(name: string): [text: string, write: (text: string) => void, drop: (sent: string) => void] {
  const key = prefix + name
  const [typed, setTyped] = useState({ key, text: read(key) })
  // What is written about has changed: it has a draft of its own.
  const text = typed.key === key ? typed.text : read(key)
  const write = (text: string) => {
    setTyped({ key, text })
    if (text) sessionStorage.setItem(key, text)
    else sessionStorage.removeItem(key)
  }
  const drop = (sent: string) => {
    if (read(key) === sent) write('')
  }
  return [text, write, drop]
}

const read = (key: string): string => sessionStorage.getItem(key) ?? ''

/** For the next person at this browser. */
export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
