import type { AgentRunLog } from '@runwright/sdk'
import { factsOf } from '#log/entry-facts.ts'
import { copyText } from '#ui/copy-text.ts'
import { toast } from '#ui/toasts.tsx'
import { useKeys } from '#ui/use-keys.ts'
import type { Follow } from './use-follow.ts'

type TraceKeys = {
  entries: readonly AgentRunLog[]
  selected: number | null
  goTo: (seq: number) => void
  follow: Follow
  onFold: (entry: AgentRunLog) => void
}

/** What the keyboard does in a trace: each entry is one press away, and each failure. */
export function useTraceKeys({ entries, selected, goTo, follow, onFold }: TraceKeys): void {
  const at = selected === null ? -1 : entries.findIndex(({ seq }) => seq >= selected)
  const chosen = entries[at]
  const step = (by: number) => {
    const next =
      entries[at < 0 ? (by > 0 ? 0 : entries.length - 1) : Math.max(0, Math.min(entries.length - 1, at + by))]
    if (next) goTo(next.seq)
  }
  const fail = (by: 1 | -1) => {
    const isBad = (entry: AgentRunLog) => factsOf(entry).isFailure
    const here = selected ?? (by > 0 ? 0 : Number.POSITIVE_INFINITY)
    const next =
      by > 0
        ? entries.find((entry) => entry.seq > here && isBad(entry))
        : entries.findLast((entry) => entry.seq < here && isBad(entry))
    if (next) goTo(next.seq)
    else toast(entries.some(isBad) ? 'No more failures this way' : 'No failures in this log')
  }
  const toEnd = () => {
    const last = entries.at(-1)
    follow.takeUp()
    if (!follow.isOn && last) goTo(last.seq)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ']': () => fail(1),
    '[': () => fail(-1),
    g: toEnd,
    G: toEnd,
    f: () => (follow.isOn ? follow.letGo() : follow.takeUp()),
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    y: () => void copyText(location.href, 'Link copied'),
    ...(chosen ? { Enter: () => onFold(chosen) } : {}),
  })
}
