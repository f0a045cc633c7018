import type { PullRequest } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'

type Agent = NonNullable<PullRequest['agent']>

const words: Record<Agent['phase'], string> = {
  waiting_checks: 'waits for the checks',
  detecting: 'looks at what failed',
  rerunning: 'has a check run again',
  fixing: 'mends what failed',
  green: 'is content: all checks have passed',
  tapped_out: 'can do no more by itself',
  paused: 'has stepped back',
  closed: 'is done: it is closed',
  merged: 'is done: it is merged',
  banned: 'was sent away',
  removed: 'was taken off it',
}

/** How the run stands that looks after it. */
export function PullAgent({ agent: { phase, attempts, reason } }: { agent: Agent }): ReactElement {
  return (
    <p className="event">
      <Icon name="engine" size={14} />
      <span>
        Its agent {words[phase]}
        {attempts > 0 && `, after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`}.
        {reason && <span className="text-ink-3"> {reason}</span>}
      </span>
    </p>
  )
}
