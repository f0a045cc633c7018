import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { useKeys } from '#ui/use-keys.ts'
import { useWhileVisible } from '#ui/use-while-visible.ts'
import { followStatuses } from './follow-statuses.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'

/** The frame of every page of an organization; what it knows of runs stays as new as the service's own. */
export function Shell(): ReactElement {
  const { organizationId = 0 } = useParams({ strict: false })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  useWhileVisible((signal) => followStatuses(queries, { organizationId, signal }), `statuses of ${organizationId}`)
  useKeys({
    'Ctrl+k': () => setOpen('palette'),
    '?': () => setOpen('keys'),
    n: () => void navigate({ to: '/runs/$organizationId', params: { organizationId }, hash: 'start' }),
  })
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="app">
        <Sidebar organizationId={organizationId} onSearch={() => setOpen('palette')} onKeys={() => setOpen('keys')} />
        <Outlet />
        <TabBar organizationId={organizationId} onSearch={() => setOpen('palette')} />
      </div>
      {open === 'palette' && <Palette organizationId={organizationId} onClose={() => setOpen(null)} />}
      {open === 'keys' && <KeysDialog onClose={() => setOpen(null)} />}
    </>
  )
}
