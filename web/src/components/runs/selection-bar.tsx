import type { AgentRun } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { hasEnded } from '#base/status.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { countOf } from '#ui/format.ts'
import { toast } from '#ui/toasts.tsx'
import { retryRun } from './retry-run.ts'

type Props = { organizationId: number; runs: AgentRun[]; onClear: () => void }

/** What can be done with the selected runs; floats at the bottom, where the thumb is. */
export function SelectionBar({ organizationId, runs, onClear }: Props): ReactElement | null {
  const [isStopping, setStopping] = useState(false)
  const act = useAct(organizationId, () => {
    setStopping(false)
    onClear()
  })
  if (!runs.length) return null
  const live = runs.filter(({ status }) => !hasEnded(status))
  const ended = runs.filter(({ status }) => hasEnded(status))
  const isArchived = runs.every(({ archived }) => archived)
  const archive = (run: AgentRun) =>
    client.runs.updateRun({ org_id: organizationId, agent_run_id: run.id, archived: !isArchived })
  const stop = (run: AgentRun) => client.runs.cancelRun({ org_id: organizationId, agent_run_id: run.id })
  return (
    <div className="selection-bar" role="toolbar" aria-label="Selected runs">
      <span className="num">{runs.length} selected</span>
      <Button
        look="sm"
        disabled={act.isPending}
        onClick={() => act.mutate({ of: runs, does: archive, done: isArchived ? 'restored' : 'archived' })}
      >
        {isArchived ? 'Unarchive' : 'Archive'}
      </Button>
      <Button look="sm" disabled={!live.length || act.isPending} onClick={() => setStopping(true)}>
        Stop
      </Button>
      <Button
        look="sm"
        disabled={!ended.length || act.isPending}
        onClick={() => act.mutate({ of: ended, does: retryRun, done: 'started again' })}
      >
        Retry
      </Button>
      {runs.length === 2 && (
        <Link
          className="btn sm"
          to="/runs/$organizationId/compare"
          params={{ organizationId }}
          search={{ a: runs[0]!.id, b: runs[1]!.id }}
        >
          Compare
        </Link>
      )}
      <Button look="ghost sm" onClick={onClear}>
        Clear
      </Button>
      {isStopping && (
        <StopRuns
          count={live.length}
          isBusy={act.isPending}
          onStop={() => act.mutate({ of: live, does: stop, done: 'stopped' })}
          onClose={() => setStopping(false)}
        />
      )}
    </div>
  )
}

type Act = { of: AgentRun[]; does: (run: AgentRun) => Promise<unknown>; done: string }

/** Does something with each run by itself: one that fails does not keep the others. */
function useAct(organizationId: number, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ of, does }: Act) => {
      const results = await Promise.allSettled(of.map(does))
      return results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    },
    onSuccess: (failed, { of, done }) => {
      const count = of.length - failed.length
      if (count) toast(`${countOf(count, 'run')} ${done}`)
      if (failed.length) toast(`${countOf(failed.length, 'run')} failed: ${(failed[0]!.reason as Error).message}`)
      onDone()
      void queries.invalidateQueries({ queryKey: ['runs', organizationId] })
    },
  })
}

type StopProps = { count: number; isBusy: boolean; onStop: () => void; onClose: () => void }

function StopRuns({ count, isBusy, onStop, onClose }: StopProps): ReactElement {
  return (
    <FormDialog
      title={`Stop ${countOf(count, 'run')}?`}
      action="Stop"
      look="destroy"
      isQuestion
      mutation={{ isPending: isBusy }}
      onSubmit={onStop}
      onClose={onClose}
    >
      <p>Their logs and everything they pushed stay. You can continue each of them later with a follow-up.</p>
    </FormDialog>
  )
}
