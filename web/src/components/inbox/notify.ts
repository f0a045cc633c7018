import type { InboxItem } from '@runwright/sdk'
import { kindWords, pathOf } from './inbox.ts'

/** Shows a notification of the browser for an item of the inbox, unless what it is about is being looked at. */
export function notify(item: InboxItem): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const path = pathOf(item)
  if (!document.hidden && location.pathname === path) return
  // One for each item, in however many tabs it is heard of.
  const title = item.run_title ?? item.text
  const shown = new Notification(title, { body: kindWords[item.kind], tag: `notification ${item.id}` })
  shown.addEventListener('click', () => {
    focus()
    location.assign(path)
  })
}
