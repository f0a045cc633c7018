import type { InboxItem } from '@runwright/sdk'
import { kindWords } from './inbox.ts'

/** Shows a notification of the browser for an item of the inbox, unless its run is being looked at. */
export function notify({
  id,
  kind,
  organization_id: organizationId,
  run_id: runId,
  run_title: title,
}: InboxItem): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const path = `/runs/${organizationId}/${runId}`
  if (!document.hidden && location.pathname === path) return
  // One for each item, in however many tabs it is heard of.
  const shown = new Notification(title, { body: kindWords[kind], tag: `notification ${id}` })
  shown.addEventListener('click', () => {
    focus()
    location.assign(path)
  })
}
