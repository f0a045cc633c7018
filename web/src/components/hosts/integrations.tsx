import type { Integration } from '@runwright/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type ReactElement } from 'react'
import { integrationsQuery, reposQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { Button } from '#ui/button.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ConnectGitHubDialog } from './connect-github-dialog.tsx'
import { ConnectRepoDialog } from './connect-repo-dialog.tsx'
import { FinishApp } from './finish-app.tsx'
import { nameOfHost } from './name-of-host.ts'
import { RemoveHostDialog } from './remove-host-dialog.tsx'
import { useSync } from './use-sync.ts'

type Host = Integration & { id: number }
const isHost = (one: Integration): one is Host => one.id !== null

/** The code hosts an organization is connected to, for those who may connect them. */
export function Integrations({ organizationId }: { organizationId: number }): ReactElement {
  const search = useSearch({ from: '/shell/organizations/$organizationId/repos' })
  const { data, error, isPending, refetch } = useQuery(integrationsQuery(organizationId))
  const queries = useQueryClient()
  const [isConnecting, setConnecting] = useState(search.github !== undefined)
  const [adding, setAdding] = useState<Host | null>(null)
  const [ending, setEnding] = useState<Host | null>(null)
  const [{ code, state }] = useState(search)
  // A sync may have found other repositories.
  const syncs = data?.map(({ synced_at: at }) => at).join()
  const readRepos = useEffectEvent(() => queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey }))
  useEffect(() => void readRepos(), [syncs])
  return (
    <section className="section" aria-labelledby="code-hosts">
      <div className="section-head">
        <div className="grow">
          <h2 id="code-hosts">Code hosts</h2>
          <p>Let agents work on repositories hosted elsewhere. Credentials never enter a sandbox.</p>
        </div>
        <div className="end">
          <Button onClick={() => setConnecting(true)}>
            <Icon name="link" size={14} />
            Connect GitHub
          </Button>
        </div>
      </div>
      {code && state && <FinishApp organizationId={organizationId} code={code} state={state} />}
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={1} height={52} />}
      {data && data.length > 0 && (
        <ul className="panel list">
          {data.filter(isHost).map((host) => (
            <HostRow
              key={host.id}
              organizationId={organizationId}
              host={host}
              onAdd={() => setAdding(host)}
              onEnd={() => setEnding(host)}
            />
          ))}
        </ul>
      )}
      {isConnecting && (
        <ConnectGitHubDialog
          organizationId={organizationId}
          github={search.github ?? ''}
          onClose={() => setConnecting(false)}
        />
      )}
      {adding && <ConnectRepoDialog organizationId={organizationId} host={adding} onClose={() => setAdding(null)} />}
      {ending && <RemoveHostDialog organizationId={organizationId} host={ending} onClose={() => setEnding(null)} />}
    </section>
  )
}

type RowProps = { organizationId: number; host: Host; onAdd: () => void; onEnd: () => void }

function HostRow({ organizationId, host, onAdd, onEnd }: RowProps): ReactElement {
  const look = useSync(organizationId, host.id)
  const { bot_login: bot, synced_at: syncedAt } = host
  const problem = look.error?.message ?? host.problem
  return (
    <li>
      <StatusGlyph size={16} {...standingOf(host, problem)} />
      <div className="grow">
        <div className="strong truncate">
          <Link
            to="/organizations/$organizationId/hosts/$integrationId"
            params={{ organizationId, integrationId: host.id }}
          >
            {nameOfHost(host)}
          </Link>
          <span className="tag">{host.app_id === null ? 'Token' : 'App'}</span>
          {!host.active && <span className="tag">Off</span>}
        </div>
        <div className="faint small">
          {[bot && `Acts as ${bot}`, syncedAt ? `Synced ${formatAgo(syncedAt, Date.now())}` : 'Not synced yet']
            .filter(Boolean)
            .join(' · ')}
        </div>
        {problem && (
          <p className="failed tone small">
            <LinkedText text={problem} />
          </p>
        )}
      </div>
      <div className="list-detail row wrap">
        <Button look="sm" isBusy={look.isPending} onClick={() => look.mutate()}>
          Sync now
        </Button>
        <Button look="sm" onClick={onAdd}>
          Add a repository
        </Button>
        <Button look="sm danger" onClick={onEnd}>
          Disconnect
        </Button>
      </div>
    </li>
  )
}

function standingOf({ active, synced_at: syncedAt }: Host, problem: string | null) {
  if (!active) return { status: 'cancelled', label: 'Off' } as const
  if (problem) return { status: 'failed', label: 'Has a problem' } as const
  return syncedAt
    ? ({ status: 'completed', label: 'Connected' } as const)
    : ({ status: 'queued', label: 'Syncing' } as const)
}
