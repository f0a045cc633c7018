import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'

/** The browser saves an export itself, as it comes: it may be larger than the memory of a page. */
export function ExportLink({ path, isIcon = false }: { path: string; isIcon?: boolean }): ReactElement {
  const look = isIcon
    ? { className: 'btn ghost sm square', 'aria-label': 'Export', title: 'Export' }
    : { className: 'btn' }
  return (
    <a href={`/v1${path}`} download {...look}>
      <Icon name="download" size={14} />
      {!isIcon && 'Export'}
    </a>
  )
}
