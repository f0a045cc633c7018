import type { AgentRunLog, SetupEvidence } from '@runwright/sdk'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client, type RepoIds, type RunIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { hasEnded } from '#base/status.ts'
import { textOf } from '#log/text-of.ts'
import { Button } from '#ui/button.tsx'
import { Evidence } from './evidence.tsx'

const lookMs = 1_000
const commandsShown = 20

/** The log of a run that tries commands, read until it has ended. */
const triedQuery = ({ organizationId, runId }: RunIds) =>
  queryOptions({
    queryKey: ['run', organizationId, runId, 'tried setup'],
    queryFn: () =>
      client.logs.listLog({
        org_id: organizationId,
        agent_run_id: runId,
        message_type: ['ACTION'],
        limit: commandsShown,
      }),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.status) ? false : lookMs),
  })

/** Runs the commands as they are typed, in a fresh sandbox, and shows what they print. Saves nothing. */
export function TrySetup({ ids, commands }: { ids: RepoIds; commands: string }): ReactElement {
  const { organizationId, repoId } = ids
  const start = useMutation({
    mutationFn: () => client.repositories.trySetupCommands({ org_id: organizationId, repo_id: repoId, commands }),
  })
  const runId = start.data?.agent_run_id
  const tried = useQuery({ ...triedQuery({ organizationId, runId: runId ?? 0 }), enabled: runId !== undefined })
  const status = runId === undefined ? null : (tried.data?.status ?? 'queued')
  const isTrying = status !== null && !hasEnded(status)
  const fault = start.error ?? tried.error
  return (
    <div className="stack" style={{ gap: 8 }}>
      <div className="row" style={{ gap: 12 }}>
        <Button
          look="sm"
          disabled={!commands.trim()}
          isBusy={start.isPending || isTrying}
          onClick={() => start.mutate()}
        >
          Try
        </Button>
        <span className="faint small" role="status">
          {status === null ? 'Runs them in a fresh sandbox. Nothing is saved.' : (outcomes[status] ?? 'Trying…')}{' '}
          {runId !== undefined && (
            <Link className="link" to="/runs/$organizationId/$runId" params={{ organizationId, runId }}>
              Run #{runId}
            </Link>
          )}
        </span>
      </div>
      {fault && <Fault error={fault} />}
      {(tried.data?.logs ?? []).filter(isCommand).map((entry) => (
        <Evidence key={entry.seq} evidence={evidenceOf(entry)} />
      ))}
    </div>
  )
}

const outcomes: Record<string, string> = {
  completed: 'These commands passed.',
  failed: 'These commands failed.',
  cancelled: 'The run was stopped.',
}

const isCommand = ({ tool_name: tool }: AgentRunLog) => tool === 'run_setup'

function evidenceOf({ tool_input, tool_output, duration_ms, observation }: AgentRunLog): SetupEvidence {
  const exit = tool_output?.['exit_code']
  return {
    command: textOf(tool_input?.['command']),
    exit_code: typeof exit === 'number' ? exit : null,
    duration_ms: duration_ms ?? 0,
    tail: typeof observation === 'string' ? observation : '',
  }
}
