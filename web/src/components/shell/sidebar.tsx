import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { meQuery, runsQuery } from '#base/api.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { switchTheme } from '#ui/theme.ts'
import { useUnread } from '#components/inbox/use-unread.ts'
import { OrgSwitcher } from './org-switcher.tsx'
import { RunTitle } from '#components/run-title.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { useFirstSteps } from '#components/first-steps/use-first-steps.ts'
import { signOut } from './sign-out.ts'

const nowMax = 5

type Props = { organizationId: number; onSearch: () => void; onKeys: () => void }

export function Sidebar({ organizationId, onSearch, onKeys }: Props): ReactElement {
  return (
    <aside className="side" aria-label="Sidebar">
      <OrgSwitcher organizationId={organizationId} />
      <button className="side-search" type="button" onClick={onSearch}>
        <Icon name="search" size={14} />
        <span>Search or jump to</span>
        <Kbd>Ctrl K</Kbd>
      </button>
      <nav aria-label="Work">
        <Link
          to="/runs/$organizationId"
          params={{ organizationId }}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          <Icon name="runs" />
          Runs
        </Link>
        <Link to="/organizations/$organizationId/inbox" params={{ organizationId }}>
          <Icon name="flag" />
          Inbox
          <Unread organizationId={organizationId} />
        </Link>
        <Link to="/organizations/$organizationId/comparisons" params={{ organizationId }}>
          <Icon name="diff" />
          Comparisons
        </Link>
        <Link to="/organizations/$organizationId/repos" params={{ organizationId }}>
          <Icon name="repo" />
          Repositories
        </Link>
      </nav>
      <Start organizationId={organizationId} />
      <Now organizationId={organizationId} />
      <h2 id="organization-title">Organization</h2>
      <nav aria-labelledby="organization-title">
        <Link to="/organizations/$organizationId/tokens" params={{ organizationId }}>
          <Icon name="key" />
          Tokens
        </Link>
        <Link to="/organizations/$organizationId/model-providers" params={{ organizationId }}>
          <Icon name="box" />
          Model providers
        </Link>
        <Link to="/organizations/$organizationId/engines" params={{ organizationId }}>
          <Icon name="engine" />
          Engines
        </Link>
        <Link to="/organizations/$organizationId/mcp" params={{ organizationId }}>
          <Icon name="link" />
          MCP servers
        </Link>
        <Link to="/organizations/$organizationId/settings" params={{ organizationId }}>
          <Icon name="sliders" />
          Settings
        </Link>
        <Link to="/record">
          <Icon name="file" />
          Open a record
        </Link>
      </nav>
      <Foot onKeys={onKeys} />
    </aside>
  )
}

function Unread({ organizationId }: { organizationId: number }): ReactElement | null {
  const count = useUnread(organizationId)
  if (!count) return null
  return (
    <span className="count" aria-label={`${count} unread`}>
      {count}
    </span>
  )
}

/** Until all first steps are done. */
function Start({ organizationId }: { organizationId: number }): ReactElement | null {
  const steps = useFirstSteps(organizationId)
  const done = steps ? Object.values(steps).filter(Boolean).length : 0
  const all = steps ? Object.keys(steps).length : 0
  if (done === all) return null
  return (
    <nav aria-label="First steps">
      <Link to="/organizations/$organizationId/start" params={{ organizationId }}>
        <Icon name="plan" />
        Get started
        <span className="count" aria-label={`${done} of ${all} done`}>
          {done}/{all}
        </span>
      </Link>
    </nav>
  )
}

/** Up to five runs that are not over, those that need somebody first. */
function Now({ organizationId }: { organizationId: number }): ReactElement | null {
  const filter = { status: ['waiting_for_user', 'in_progress', 'paused', 'queued'] as const }
  const { data } = useQuery(runsQuery(organizationId, { status: [...filter.status] }, 20))
  const runs = data?.items.toSorted(
    (one, other) => filter.status.indexOf(one.status as 'queued') - filter.status.indexOf(other.status as 'queued'),
  )
  if (!runs?.length) return null
  return (
    <>
      <h2 id="now-title">Now</h2>
      <nav className="side-live" aria-labelledby="now-title">
        {runs.slice(0, nowMax).map((run) => (
          <Link key={run.id} to="/runs/$organizationId/$runId" params={{ organizationId, runId: run.id }}>
            <StatusGlyph status={run.status} />
            <span className="grow truncate">
              <RunTitle run={run} />
            </span>
          </Link>
        ))}
      </nav>
    </>
  )
}

function Foot({ onKeys }: { onKeys: () => void }): ReactElement {
  const { data: me } = useQuery(meQuery())
  const name = me?.full_name ?? me?.email ?? 'You'
  return (
    <div className="side-foot">
      <button className="who" type="button" popoverTarget="who-menu">
        <Avatar name={name} />
        <span className="truncate">{name}</span>
      </button>
      <div className="menu" popover="auto" id="who-menu">
        {me?.email && <p>{me.email}</p>}
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
      <Button look="ghost sm square" onClick={switchTheme} aria-label="Change theme">
        <Icon name="moon" size={14} />
      </Button>
      <Button look="ghost sm square" onClick={onKeys} aria-label="Keyboard shortcuts">
        <Icon name="help" size={14} />
      </Button>
    </div>
  )
}
