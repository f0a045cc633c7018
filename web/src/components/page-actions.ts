import type { IconName } from '#ui/icon.tsx'

/** What a page offers to press: a button or a link, by the name that everybody sees or hears. */
export type PageAction = { text: string; press: () => void; icon: IconName }

const actionsMax = 200

/** Every place that the sidebar and the lists of a page's parts lead to. */
export const findPlaces = (): PageAction[] => find('.side nav:not(.side-live) a, .subnav a', 'chev')

/** Everything that can be done on the page now; what a row or an entry offers by itself is left to it. */
export const findActions = (): PageAction[] =>
  find('main :is(button, a[href], [role=tab], summary.btn)', 'arrowdown').filter(
    ({ text }) => text.length > 1 && text.length < 80,
  )

const ownRows = '.run-row, .entry, .trace, .log, .diff, .prose, .list > li, dialog, [popover]'

function find(selector: string, icon: IconName): PageAction[] {
  const found = new Map<string, PageAction>()
  for (const node of document.querySelectorAll<HTMLElement>(selector)) {
    if (found.size >= actionsMax) break
    if (node.closest(ownRows) || (node instanceof HTMLButtonElement && node.disabled)) continue
    const text = nameOf(node)
    if (text && !found.has(text)) found.set(text, { text, icon, press: () => node.click() })
  }
  return [...found.values()]
}

function nameOf(node: HTMLElement): string {
  const label = node.getAttribute('aria-label')
  if (label) return label
  const copy = node.cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll('.kbd, kbd, .count, svg')) hidden.remove()
  return (copy.textContent ?? '').trim().replaceAll('\n', ' ')
}
