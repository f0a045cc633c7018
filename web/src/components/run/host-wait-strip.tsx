import type { AgentRun } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Time } from '#ui/time.tsx'
import { useSteer } from './use-steer.ts'

/** Says what the code host did not accept, when it is tried again, and lets people try now. */
export function HostWaitStrip({ run }: { run: AgentRun }): ReactElement | null {
  const { resume } = useSteer(run)
  const { host_wait: wait } = run
  if (!wait || run.status_detail !== 'waiting_for_host') return null
  return (
    <div className={`strip ${wait.next_try_at === null ? 'failed' : 'waiting_for_user'}`} role="status">
      <Icon name="clock" size={14} />
      <span className="grow">
        {wait.for === 'deliver' ? 'The work is finished and kept. ' : 'The run has not begun. '}
        {wait.message}{' '}
        {wait.next_try_at === null ? (
          'Fix this at the code host, then try again.'
        ) : (
          <>
            Next try at <Time at={wait.next_try_at} />, {wait.tries} {wait.tries === 1 ? 'try' : 'tries'} so far.
          </>
        )}
      </span>
      <Button look="sm" isBusy={resume.isPending} onClick={() => resume.mutate()}>
        Try now
      </Button>
    </div>
  )
}
