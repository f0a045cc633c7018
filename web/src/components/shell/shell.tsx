import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type ReactElement, type ReactNode } from 'react'
import { isNotThere, meQuery, organizationQuery } from '#base/api.ts'
import { useKeys } from '#ui/use-keys.ts'
import { useWhileVisible } from '#ui/use-while-visible.ts'
import { followStatuses } from '#components/runs/follow-statuses.ts'
import { useNotices } from '#components/inbox/use-notices.ts'
import { useNotifies } from '#components/inbox/use-notifies.ts'
import { KeysDialog } from '#components/keys-dialog.tsx'
import { NoAccess } from '#components/no-access.tsx'
import { NotFound } from '#components/not-found.tsx'
import { Palette } from './palette.tsx'
import { ServerStrip } from './server-strip.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'

export function Shell(): ReactElement {
  const { organizationId = 0 } = useParams({ strict: false })
  if (!Number.isSafeInteger(organizationId) || organizationId < 1) return <NotFound />
  return (
    <Frame organizationId={organizationId}>
      <PageOf organizationId={organizationId} />
    </Frame>
  )
}

/** The frame of every page of an organization. It keeps what the pages know of its runs up to date. */
export function Frame({ organizationId, children }: { organizationId: number; children: ReactNode }): ReactElement {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: me } = useQuery(meQuery())
  // Notifications are for those who look elsewhere.
  const notifies = useNotifies(organizationId, me?.id ?? 0)
  useNotices(organizationId, me?.id ?? 0)
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  useWhileVisible(
    (signal) => followStatuses(queries, { organizationId, signal }),
    `statuses of ${organizationId}`,
    notifies,
  )
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
        {children}
        <TabBar organizationId={organizationId} onSearch={() => setOpen('palette')} />
      </div>
      <ServerStrip />
      {open === 'palette' && <Palette organizationId={organizationId} onClose={() => setOpen(null)} />}
      {open === 'keys' && <KeysDialog onClose={() => setOpen(null)} />}
    </>
  )
}

/** The page, where one may see the organization. */
function PageOf({ organizationId }: { organizationId: number }): ReactElement {
  const { error } = useQuery(organizationQuery(organizationId))
  return isNotThere(error) ? <NoAccess /> : <Outlet />
}
