import type { AgentRun, Sandbox } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { sandboxesOfRunQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Select } from '#ui/select.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { SandboxCommands } from './sandbox-commands.tsx'
import { SandboxNetwork } from './sandbox-network.tsx'
import { useExplain } from './use-explain.ts'

/** Where a run's commands were run: each of them, and what they asked of the network. */
export function RunSandbox({ run }: { run: AgentRun }): ReactElement {
  const ids = { organizationId: run.organization_id, runId: run.id }
  const { data, error, isPending, refetch } = useQuery(sandboxesOfRunQuery(ids))
  const [chosen, setChosen] = useState<number | null>(null)
  const sandbox = data?.find(({ id }) => id === chosen) ?? data?.[0]
  return (
    <div className="sandbox">
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={4} height={44} />}
      {data?.length === 0 && (
        <Empty icon="terminal" title="No sandbox yet">
          One starts when the agent runs its first command.
        </Empty>
      )}
      {data && data.length > 1 && (
        <Select
          label="Sandbox"
          value={String(sandbox?.id)}
          choices={data.map(({ id, started_at: at }) => [String(id), `#${id}, started ${formatAgo(at, Date.now())}`])}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      {sandbox && (
        <>
          <SandboxHead sandbox={sandbox} />
          <SandboxCommands key={`commands ${sandbox.id}`} sandbox={sandbox} />
          <SandboxNetwork key={`network ${sandbox.id}`} sandbox={sandbox} repoId={run.repo_id} />
        </>
      )}
    </div>
  )
}

const isolationWords: Record<string, string> = {
  unsafe: 'no isolation',
  bubblewrap: 'bubblewrap',
  container: 'container',
  kubernetes: 'Kubernetes Pod',
}

function SandboxHead({ sandbox }: { sandbox: Sandbox }): ReactElement {
  const { id, organization_id: organizationId, status, provider, worker, end_reason: reason } = sandbox
  const explain = useExplain(organizationId)
  return (
    <>
      <div className="sandbox-head">
        <h2>Sandbox #{id}</h2>
        <span className={`tag ${status === 'running' ? 'tone in_progress' : ''}`}>
          {status === 'running' ? 'Running' : 'Ended'}
        </span>
        <span className="faint small grow">
          {isolationWords[provider] ?? provider} on {worker}
          {reason && ` · ${reason.replaceAll('_', ' ')}`}
        </span>
        <Button look="sm" isBusy={explain.isPending} onClick={() => explain.mutate(id)}>
          <Icon name="help" size={12} />
          Explain failure
        </Button>
      </div>
      {explain.error && <Fault error={explain.error} />}
    </>
  )
}
