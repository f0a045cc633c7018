import type { AgentRun } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { FormDialog } from '#components/form-dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { toast } from '#ui/toasts.tsx'
import { useSteer } from './use-steer.ts'

export function StopDialog({ run, onClose }: { run: AgentRun; onClose: () => void }): ReactElement {
  const { stop } = useSteer(run)
  const confirm = () =>
    stop.mutate(undefined, {
      onSuccess: () => {
        toast('Asked the agent to stop')
        onClose()
      },
    })
  return (
    <FormDialog
      title="Stop this run?"
      cancel="Keep working"
      action={
        <>
          <Icon name="stop" size={14} />
          Stop the run
        </>
      }
      look="destroy"
      isQuestion
      mutation={stop}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>
        The running command is ended, and nothing more is pushed.{' '}
        {run.branch ? `What is committed stays on ${run.branch}. ` : ''}
        You can continue it later with a follow-up.
      </p>
    </FormDialog>
  )
}
