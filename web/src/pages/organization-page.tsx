import type { Me } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactElement, type ReactNode } from 'react'
import { client, meQuery, organizationQuery, roleQuery } from '#base/api.ts'
import { ExportLink } from '#components/export-link.tsx'
import { Fault } from '#components/fault.tsx'
import { RemovalDialog } from '#components/organization/removal-dialog.tsx'
import { RetentionSection } from '#components/organization/retention-section.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { ActionRow } from '#ui/action-row.tsx'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

type Asked = 'leave' | 'account' | 'organization'
type Known = { organizationId: number; name: string; me: Me; asked: Asked | null; onAsk: (asked: Asked | null) => void }

/** How long things are kept, how they are exported, and what ends: membership, account, organization. */
export function OrganizationPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/settings' })
  const { data: organization, error, refetch } = useQuery(organizationQuery(organizationId))
  const { data: me } = useQuery(meQuery())
  const { data: role } = useQuery(roleQuery(organizationId))
  const [asked, onAsk] = useState<Asked | null>(null)
  const isKnown = organization && me && role
  return (
    <PageFrame title="Settings">
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {!isKnown && !error && <Skeleton rows={3} height={52} />}
      {isKnown && (
        <>
          {role === 'ADMIN' && <RetentionSection organization={organization} />}
          {role === 'ADMIN' && <AdminLinks organizationId={organizationId} />}
          <Exports isAdmin={role === 'ADMIN'} name={organization.name} organizationId={organizationId} />
          <Lists isAdmin={role === 'ADMIN'} name={organization.name} onAsk={onAsk} />
          <Asking {...{ organizationId, name: organization.name, me, asked, onAsk }} />
        </>
      )}
    </PageFrame>
  )
}

function Lists({ isAdmin, name, onAsk }: Pick<Known, 'name' | 'onAsk'> & { isAdmin: boolean }): ReactElement {
  return (
    <>
      <section className="section">
        <h2>Your account</h2>
        <ul className="panel list">
          <Danger title={`Leave ${name}`} action="Leave" onAsk={() => onAsk('leave')}>
            Your tokens of it end. What you created stays under your name.
          </Danger>
          <Danger title="Delete your account" action="Delete your account" onAsk={() => onAsk('account')}>
            Your name, address, tokens and inbox are deleted, in all organizations.
          </Danger>
        </ul>
      </section>
      {isAdmin && (
        <section className="section">
          <h2>Danger zone</h2>
          <ul className="panel list">
            <Danger title={`Delete ${name}`} action="Delete the organization" onAsk={() => onAsk('organization')}>
              All runs, repositories, members, tokens, secrets and usage are deleted.
            </Danger>
          </ul>
        </section>
      )}
    </>
  )
}

function AdminLinks({ organizationId }: Pick<Known, 'organizationId'>): ReactElement {
  return (
    <section className="section">
      <h2>Administration</h2>
      <ul className="panel list">
        <ActionRow title="Workers" about="Machines of your own that run this organization’s sandboxes.">
          <Link className="btn" to="/organizations/$organizationId/workers" params={{ organizationId }}>
            Open workers
          </Link>
        </ActionRow>
        <ActionRow
          title="Audit log"
          about="Who changed members, tokens, secrets, settings and repositories, and who exported."
        >
          <Link className="btn" to="/organizations/$organizationId/audit" params={{ organizationId }}>
            Open audit log
          </Link>
        </ActionRow>
      </ul>
    </section>
  )
}

function Exports({
  isAdmin,
  name,
  organizationId,
}: Pick<Known, 'name' | 'organizationId'> & { isAdmin: boolean }): ReactElement {
  return (
    <section className="section">
      <h2>Export</h2>
      <ul className="panel list">
        {isAdmin && (
          <ActionRow
            title={`Export ${name}`}
            about="All runs, repositories, pull requests, members, settings and usage, as one archive. Values of secrets and tokens are not in it."
          >
            <ExportLink path={`/organizations/${organizationId}/export`} />
          </ActionRow>
        )}
        <ActionRow title="Export your account" about="Your account, and what you wrote in all of your organizations.">
          <ExportLink path="/users/me/export" />
        </ActionRow>
      </ul>
    </section>
  )
}

function Asking({ organizationId, name, me, asked, onAsk }: Known): ReactElement | null {
  const onClose = () => onAsk(null)
  const account = me.email ?? me.full_name ?? ''
  if (asked === 'leave')
    return (
      <RemovalDialog
        title={`Leave ${name}?`}
        action="Leave"
        confirm={null}
        remove={() => client.organizations.removeMember({ org_id: organizationId, user_id: me.id })}
        onClose={onClose}
      >
        <p>Only an ADMIN can let you in again. Your runs go on, and what you created stays under your name.</p>
      </RemovalDialog>
    )
  if (asked === 'account')
    return (
      <RemovalDialog
        title="Delete your account?"
        action="Delete your account"
        confirm={account}
        remove={() => client.users.deleteMe({ confirm: account })}
        onClose={onClose}
      >
        <p>
          Your name, email address, prompt, inbox, saved views, tokens and sessions are deleted in all organizations,
          and nobody can bring them back.
        </p>
        <p>
          Your runs, comments and pull requests stay, as those of a deleted user. Commits keep the name and address that
          stand in them.
        </p>
      </RemovalDialog>
    )
  if (asked === null) return null
  return (
    <RemovalDialog
      title={`Delete ${name}?`}
      action="Delete the organization"
      confirm={name}
      remove={() => client.organizations.deleteOrganization({ org_id: organizationId, confirm: name })}
      onClose={onClose}
    >
      <p>
        All of its runs are cancelled. Its runs, repositories, pull requests, members, tokens, secrets, budgets and
        usage are deleted, and nobody can bring them back. Accounts of members who belong to no other organization are
        deleted, too.
      </p>
      <p>Nothing changes on other code hosts.</p>
    </RemovalDialog>
  )
}

type DangerProps = { title: string; action: string; onAsk: () => void; children: ReactNode }

function Danger({ title, action, onAsk, children }: DangerProps): ReactElement {
  return (
    <ActionRow title={title} about={children}>
      <Button look="danger" onClick={onAsk}>
        {action}
      </Button>
    </ActionRow>
  )
}
