import type { AgentRun } from '@runwright/sdk'
import { titleOf } from '#components/run-title.tsx'
import { kindWords, readWishes, type Kind } from './inbox.ts'

/** Shows a notification of the browser for what a run of this person has to say, where they want one. */
export function notify(run: AgentRun, kind: Kind | null, myId: number | undefined): void {
  if (!kind || myId === undefined || run.user_id !== myId || !('Notification' in globalThis)) return
  const { off, notifies } = readWishes(run.organization_id, myId)
  const path = `/runs/${run.organization_id}/${run.id}`
  const isLookedAt = !document.hidden && location.pathname === path
  if (!notifies || off.includes(kind) || isLookedAt || Notification.permission !== 'granted') return
  // One for each state of a run, in however many tabs it is heard of.
  const shown = new Notification(titleOf(run), { body: kindWords[kind], tag: `${path} ${run.turn} ${kind}` })
  shown.addEventListener('click', () => {
    focus()
    location.assign(path)
  })
}
