import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useEffectEvent, useState, type KeyboardEvent, type ReactElement } from 'react'
import type { Filtered } from '#log/use-filtered.ts'
import { changed } from '#base/search.ts'
import { formatCount } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'

type Props = { q: string; filtered: Filtered; selected: number | null; goTo: (seq: number) => void }

/** Finds entries by their words; Enter goes to the next one, Shift-Enter to the one before. */
export function SearchTrace({ q, filtered: { entries, isComplete }, selected, goTo }: Props): ReactElement {
  const navigate = useNavigate({ from: '/runs/$organizationId/$runId' })
  const [text, setText] = useState(q)
  const settled = useDeferredValue(text)
  const search = useEffectEvent((words: string) => {
    if (words === q) return
    void navigate({
      search: (before) => changed(before, { q: words || undefined }),
      hash: true,
      replace: true,
    })
  })
  // Only what is typed changes the address: an address that changes by itself is not changed back.
  useEffect(() => search(settled), [settled])
  const at = selected === null ? -1 : entries.findIndex(({ seq }) => seq === selected)
  const step = (by: 1 | -1) => {
    const first = by > 0 ? 0 : entries.length - 1
    const next = entries[at < 0 ? first : (at + by + entries.length) % entries.length]
    if (next) goTo(next.seq)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') event.currentTarget.blur()
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !q) return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  }
  return (
    <div className="input-wrap hide-phone trace-search">
      <Icon name="search" size={14} />
      <input
        className="input quiet"
        type="search"
        aria-label="Search the trace"
        placeholder="Search"
        data-search
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="found-count" role="status" aria-label="Search results">
        {q && wordsOf({ at, count: entries.length, isComplete })}
      </span>
      {!text && <Kbd>/</Kbd>}
    </div>
  )
}

function wordsOf({ at, count, isComplete }: { at: number; count: number; isComplete: boolean }): string {
  if (!isComplete) return `${formatCount(count)}…`
  if (!count) return 'None'
  return at < 0 ? formatCount(count) : `${formatCount(at + 1)} of ${formatCount(count)}`
}
