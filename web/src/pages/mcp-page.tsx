import type { McpServer, McpTrial } from '@runwright/sdk'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, mcpServersQuery, roleQuery } from '#base/api.ts'
import { AddMcpServerDialog } from '#components/mcp/add-mcp-server-dialog.tsx'
import { RemoveMcpServerDialog } from '#components/mcp/remove-mcp-server-dialog.tsx'
import { Fault } from '#components/fault.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** The MCP servers of an organization. */
export function McpPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/mcp' })
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    mcpServersQuery(organizationId),
  )
  const { data: role } = useQuery(roleQuery(organizationId))
  const mayManage = role === 'ADMIN'
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<McpServer | null>(null)
  const servers = data?.items
  const add = mayManage && (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" size={14} />
      Add a server
    </Button>
  )
  return (
    <PageFrame title="MCP servers">
      <section className="section">
        <div className="section-head">
          <p className="grow">The built-in agent can use the tools of these servers in all runs of the organization.</p>
          {servers?.length ? <div className="end">{add}</div> : null}
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={3} height={52} />}
        {servers?.length === 0 && (
          <Empty icon="link" title="No MCP servers yet" action={add || undefined}>
            An admin can add servers of the Model Context Protocol.
          </Empty>
        )}
        {servers && servers.length > 0 && (
          <ul className="panel list">
            {servers.map((server) => (
              <ServerRow
                key={server.id}
                organizationId={organizationId}
                server={server}
                mayManage={mayManage}
                onRemove={() => setRemoving(server)}
              />
            ))}
          </ul>
        )}
        {data && (
          <ShowMore
            shown={data.items.length}
            total={data.total}
            name="servers"
            isBusy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </section>
      {isAdding && <AddMcpServerDialog organizationId={organizationId} onClose={() => setAdding(false)} />}
      {removing && (
        <RemoveMcpServerDialog organizationId={organizationId} server={removing} onClose={() => setRemoving(null)} />
      )}
    </PageFrame>
  )
}

type RowProps = { organizationId: number; server: McpServer; mayManage: boolean; onRemove: () => void }

function ServerRow({ organizationId, server, mayManage, onRemove }: RowProps): ReactElement {
  const queries = useQueryClient()
  const ids = { org_id: organizationId, mcp_server_id: server.id }
  const trial = useMutation({ mutationFn: () => client.mcpServers.tryMcpServer(ids) })
  const toggle = useMutation({
    mutationFn: () => client.mcpServers.updateMcpServer({ ...ids, enabled: !server.enabled }),
    onSuccess: () => queries.invalidateQueries({ queryKey: mcpServersQuery(organizationId).queryKey }),
  })
  const fault = trial.error ?? toggle.error
  return (
    <li className="wrap">
      <div className="grow">
        <div className="strong truncate">
          {server.name}
          {server.repo_id !== null && <span className="tag">repository {server.repo_id}</span>}
          {!server.enabled && <span className="tag">off</span>}
        </div>
        <div className="faint small truncate">
          <code>{server.url ?? server.command?.join(' ')}</code>
        </div>
        {trial.data && <TrialResult trial={trial.data} />}
        {fault && <Fault error={fault} />}
      </div>
      {mayManage && (
        <span className="row">
          {server.url !== null && (
            <Button look="sm" disabled={trial.isPending} onClick={() => trial.mutate()}>
              Try
            </Button>
          )}
          <Button look="sm" disabled={toggle.isPending} onClick={() => toggle.mutate()}>
            {server.enabled ? 'Turn off' : 'Turn on'}
          </Button>
          <Button look="sm danger" onClick={onRemove}>
            Remove
          </Button>
        </span>
      )}
    </li>
  )
}

function TrialResult({ trial }: { trial: McpTrial }): ReactElement {
  const names = trial.tools.map(({ name }) => name).join(', ')
  const shown = trial.ok ? `Works. Tools: ${names || 'none'}` : (trial.error ?? '')
  return (
    <div className="small" role="status">
      {shown}
      {trial.left_out.length > 0 && `. Left out: ${trial.left_out.join('; ')}`}
    </div>
  )
}
