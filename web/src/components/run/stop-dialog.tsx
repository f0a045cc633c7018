import type { AgentRun } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { toast } from '#ui/toasts.tsx'
import { Fault } from '#components/fault.tsx'
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
    <Dialog
      title="Stop this run?"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep working</Button>
          <Button look="destroy" data-first isBusy={stop.isPending} onClick={confirm}>
            <Icon name="stop" size={14} />
            Stop the run
          </Button>
        </>
      }
    >
      <p>
        The running command is ended, and nothing more is pushed.{' '}
        {run.branch ? `What is committed stays on ${run.branch}. ` : ''}
        You can continue it later with a follow-up.
      </p>
      {stop.error && <Fault error={stop.error} />}
    </Dialog>
  )
}
