import type { Organization } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type ReactElement } from 'react'
import { client, isSignedOut, meQuery, organizationsQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { signOut } from '#components/shell/sign-out.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Logo } from '#ui/logo.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { switchTheme } from '#ui/theme.ts'

const searchFrom = 8

/** Leads on to the runs of the organization; where there are several, or somebody asks for them, they are listed. */
export function HomePage(): ReactElement | null {
  const { data: organizations, error, refetch } = useQuery(organizationsQuery())
  const { all = false } = useSearch({ from: '/' })
  const { data: me } = useQuery(meQuery())
  const [text, setText] = useState('')
  const [isCreating, setCreating] = useState(false)
  useEffect(() => {
    document.title = 'Organizations · Runwright'
  }, [])
  const [only, ...others] = organizations ?? []
  if (only && !others.length && !all)
    return <Navigate to="/runs/$organizationId" params={{ organizationId: only.id }} replace />
  const found = organizations?.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <div className="home">
      <header className="bar">
        <Logo />
        <b className="grow">Runwright</b>
        <Button look="ghost sm square" onClick={switchTheme} aria-label="Change theme">
          <Icon name="moon" size={14} />
        </Button>
        <Button look="ghost sm" onClick={() => void signOut()}>
          Sign out
        </Button>
      </header>
      <main className="content home-content" id="main">
        <div className="section-head">
          <h1 className="grow">Organizations</h1>
          {me?.is_admin && (
            <Button onClick={() => setCreating(true)}>
              <Icon name="plus" size={14} />
              New organization
            </Button>
          )}
        </div>
        {error && !isSignedOut(error) && <Fault error={error} onAgain={() => void refetch()} />}
        {!organizations && !error && <Skeleton rows={3} height={52} />}
        {organizations && organizations.length >= searchFrom && (
          <input
            className="input"
            type="search"
            placeholder="Find an organization"
            aria-label="Find an organization"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {organizations?.length === 0 && (
          <Empty icon="users" title="You’re not in an organization yet">
            Ask an admin of one to invite you.
          </Empty>
        )}
        {found && found.length > 0 && <List organizations={found} />}
      </main>
      {isCreating && <NewOrganization onClose={() => setCreating(false)} />}
    </div>
  )
}

function List({ organizations }: { organizations: Organization[] }): ReactElement {
  return (
    <ul className="panel list">
      {organizations.map(({ id, name }) => (
        <li key={id}>
          <Avatar name={name} />
          <Link className="grow truncate strong" to="/runs/$organizationId" params={{ organizationId: id }}>
            {name}
          </Link>
          <Icon name="chev" size={14} />
        </li>
      ))}
    </ul>
  )
}

function NewOrganization({ onClose }: { onClose: () => void }): ReactElement {
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => client.organizations.createOrganization({ name: name.trim() }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: organizationsQuery().queryKey })
      await navigate({ to: '/runs/$organizationId', params: { organizationId: id } })
    },
  })
  return (
    <FormDialog
      title="New organization"
      action="Create"
      isReady={name.trim() !== ''}
      mutation={create}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} />
    </FormDialog>
  )
}
