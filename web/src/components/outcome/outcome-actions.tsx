import type { AgentRun, Sandbox } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client, diffQuery, putRun, sandboxesOfRunQuery } from '#base/api.ts'
import { factsOf } from '#log/entry-facts.ts'
import type { Log } from '#log/use-log.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Fault } from '#components/fault.tsx'
import { PullLink } from '#components/pull-link.tsx'
import { useExplain } from '#components/sandbox/use-explain.ts'

type Props = { run: AgentRun; log: Log; onGoTo: (seq: number) => void; onRetry: () => void }

/** What to do with an ended run. The first action is what most people want next. */
export function OutcomeActions({ run, log, onGoTo, onRetry }: Props): ReactElement {
  const retry = useRetry(run, log, onRetry)
  const explain = useExplain(run.organization_id)
  const { data: sandboxes, isFetched } = useQuery({
    ...sandboxesOfRunQuery({ organizationId: run.organization_id, runId: run.id }),
    enabled: run.status === 'failed',
  })
  const { data: diff } = useQuery(diffQuery({ organizationId: run.organization_id, runId: run.id }))
  const sandbox = run.status === 'failed' ? sandboxes?.at(0) : undefined
  const pull = run.github_pull_requests.at(-1)
  const isDone = run.status === 'completed'
  // A fault that may pass by itself is tried again; any other one is looked into first.
  const isExplainFirst = sandbox !== undefined && run.error?.retryable !== true
  const failing = log.lastExit ?? log.lastFailure
  return (
    <footer className="outcome-acts">
      {isDone && pull && (
        <PullLink run={run} pull={pull} className="btn primary">
          <Icon name="pr" size={14} />
          {pull.merged || pull.state === 'closed' ? 'View pull request' : 'Review pull request'}
        </PullLink>
      )}
      {isDone && !pull && diff && (
        <Link className="btn primary" from="/runs/$organizationId/$runId" to="." search={{ tab: 'changes' }}>
          <Icon name="diff" size={14} />
          Review changes
        </Link>
      )}
      {isDone && !pull && diff === '' && (
        <Button look="primary" onClick={() => document.querySelector<HTMLElement>('#message')?.focus()}>
          Follow up
        </Button>
      )}
      {sandbox && isExplainFirst && <Explain explain={explain} sandbox={sandbox} look="primary" />}
      {!isDone && (isFetched || run.status !== 'failed') && (
        <Button look={isExplainFirst ? '' : 'primary'} isBusy={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </Button>
      )}
      {sandbox && !isExplainFirst && <Explain explain={explain} sandbox={sandbox} look="" />}
      {run.status === 'failed' && (
        <Link className="btn" from="/runs/$organizationId/$runId" to="." search={{ tab: 'replay' }}>
          Replay step by step
        </Link>
      )}
      {!isDone && failing !== null && <Button onClick={() => onGoTo(failing)}>Go to failing step</Button>}
      {!isDone && pull && (
        <PullLink run={run} pull={pull} className="btn">
          View pull request
        </PullLink>
      )}
      {(retry.error ?? explain.error) && <Fault error={(retry.error ?? explain.error)!} />}
    </footer>
  )
}

type ExplainProps = { explain: ReturnType<typeof useExplain>; sandbox: Sandbox; look: string }

function Explain({ explain, sandbox, look }: ExplainProps): ReactElement {
  return (
    <Button look={look} isBusy={explain.isPending} onClick={() => explain.mutate(sandbox.id)}>
      Explain failure
    </Button>
  )
}

/** Gives the agent the last prompt once more, in a new turn that knows what the ones before have done. */
function useRetry({ organization_id: organizationId, id, prompt }: AgentRun, log: Log, onRetry: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const observation = log.entries.findLast((entry) => factsOf(entry).kind === 'user')?.observation
      return client.runs.resumeRun({
        org_id: organizationId,
        agent_run_id: id,
        prompt: typeof observation === 'string' && observation ? observation : prompt,
      })
    },
    onSuccess: (run) => {
      putRun(queries, run)
      log.wake()
      onRetry()
    },
  })
}
