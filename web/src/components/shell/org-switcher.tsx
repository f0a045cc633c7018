import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type ReactElement } from 'react'
import { organizationQuery, organizationsQuery } from '#base/api.ts'
import { Icon } from '#ui/icon.tsx'
import { Logo } from '#ui/logo.tsx'

const shownMax = 50

/** The name of the organization; pressed, a list of all that one is in, with a search. */
export function OrgSwitcher({ organizationId }: { organizationId: number }): ReactElement {
  const { data: organizations } = useQuery(organizationsQuery())
  const { data: current } = useQuery({ ...organizationQuery(organizationId), retry: false })
  const [text, setText] = useState('')
  const menu = useRef<HTMLDivElement>(null)
  const name = current?.name ?? organizations?.find(({ id }) => id === organizationId)?.name ?? 'Organizations'
  const found = (organizations ?? []).filter((one) => one.name.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <>
      <button className="side-org" type="button" popoverTarget="org-menu" aria-label={`${name}, switch organization`}>
        <Logo />
        <span className="grow truncate">{name}</span>
        <Icon name="updown" size={14} />
      </button>
      <div
        className="menu org-menu"
        popover="auto"
        id="org-menu"
        ref={menu}
        onToggle={(event) => {
          if (event.newState === 'open') menu.current?.querySelector('input')?.focus()
          else setText('')
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
          menu.current?.querySelector<HTMLElement>('a[data-org]')?.click()
        }}
      >
        <input
          className="input compact"
          type="search"
          placeholder="Find an organization"
          aria-label="Find an organization"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {found.slice(0, shownMax).map((one) => (
          <Link
            key={one.id}
            data-org={one.id}
            to="/runs/$organizationId"
            params={{ organizationId: one.id }}
            search={{}}
            aria-current={one.id === organizationId ? 'true' : undefined}
            onClick={() => menu.current?.hidePopover()}
          >
            <span className="grow truncate">{one.name}</span>
            {one.id === organizationId && <Icon name="check" size={14} />}
          </Link>
        ))}
        {organizations && !found.length && <p>No matching organization.</p>}
        <hr />
        <Link to="/" search={{ all: true }}>
          All organizations
        </Link>
      </div>
    </>
  )
}
