import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { meQuery, organizationQuery } from '#base/api.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { switchTheme } from '#ui/theme.ts'
import { useUnread } from '#components/inbox/use-unread.ts'
import { signOut } from './sign-out.ts'

type Props = { organizationId: number; onSearch: () => void; onClose: () => void }

const places = [
  { to: '/organizations/$organizationId/comparisons', icon: 'diff', name: 'Comparisons' },
  { to: '/organizations/$organizationId/tokens', icon: 'key', name: 'Tokens' },
  { to: '/organizations/$organizationId/model-providers', icon: 'box', name: 'Model providers' },
  { to: '/organizations/$organizationId/engines', icon: 'engine', name: 'Engines' },
  { to: '/organizations/$organizationId/mcp', icon: 'link', name: 'MCP servers' },
  { to: '/organizations/$organizationId/settings', icon: 'sliders', name: 'Settings' },
] as const

/** On a phone: everything of the sidebar that is no tab. */
export function MoreSheet({ organizationId, onSearch, onClose }: Props): ReactElement {
  const { data: me } = useQuery(meQuery())
  const { data: organization } = useQuery(organizationQuery(organizationId))
  const unread = useUnread(organizationId)
  const then = (act: () => unknown) => () => {
    onClose()
    act()
  }
  return (
    <Dialog title={organization?.name ?? 'More'} className="dialog sheet" onClose={onClose}>
      <nav className="menu" aria-label="More">
        <button type="button" data-first onClick={then(onSearch)}>
          <Icon name="search" />
          Search or jump to
        </button>
        <Link to="/organizations/$organizationId/inbox" params={{ organizationId }} onClick={onClose}>
          <Icon name="flag" />
          Inbox
          {unread > 0 && (
            <span className="count">
              {unread}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </Link>
        {places.map(({ to, icon, name }) => (
          <Link key={to} to={to} params={{ organizationId }} onClick={onClose}>
            <Icon name={icon} />
            {name}
          </Link>
        ))}
        <Link to="/record" onClick={onClose}>
          <Icon name="file" />
          Open a record
        </Link>
        <Link to="/" search={{ all: true }} onClick={onClose}>
          <Icon name="users" />
          Switch organization
        </Link>
        <button type="button" onClick={switchTheme}>
          <Icon name="moon" />
          Change theme
        </button>
        <hr />
        <p>Signed in as {me?.full_name ?? me?.email ?? 'you'}</p>
        <button type="button" onClick={then(() => void signOut())}>
          <Icon name="back" />
          Sign out
        </button>
      </nav>
    </Dialog>
  )
}
