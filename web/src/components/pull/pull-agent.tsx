import type { PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { Button } from '#ui/button.tsx'
import { useReread } from './use-reread.ts'

type Agent = NonNullable<PullRequest['agent']>
type Glyph = Parameters<typeof StatusGlyph>[0]['status']

const phases: Record<Agent['phase'], { glyph: Glyph; words: string }> = {
  waiting_checks: { glyph: 'queued', words: 'The agent waits for the checks.' },
  detecting: { glyph: 'in_progress', words: 'The agent looks at what failed.' },
  rerunning: { glyph: 'in_progress', words: 'The agent has a check run again, to see whether it fails twice.' },
  fixing: { glyph: 'in_progress', words: 'The agent mends what failed.' },
  green: { glyph: 'completed', words: 'All checks have passed. Where one fails, the agent mends it.' },
  tapped_out: { glyph: 'failed', words: 'The agent can do no more by itself' },
  paused: { glyph: 'paused', words: 'The agent has stepped back' },
  closed: { glyph: 'cancelled', words: 'The agent is done here: the pull request is closed.' },
  merged: { glyph: 'completed', words: 'The agent is done here: the pull request is merged.' },
  banned: { glyph: 'cancelled', words: 'The agent was sent away, and mends no checks here.' },
  removed: {
    glyph: 'cancelled',
    words: 'The agent was taken off this pull request, and what it did here was stopped.',
  },
}

/** What brings it back: to where its tries count anew. */
const waysBack: Partial<Record<Agent['phase'], { word: string; hint: string }>> = {
  tapped_out: {
    word: 'Let the agent try again',
    hint: 'It tries as if it were new here. Or tell it what it should know, in',
  },
  paused: { word: 'Let the agent go on', hint: 'It goes on as if it were new here. Or tell it what it should do, in' },
  banned: {
    word: 'Take the agent back',
    hint: 'Taken back, it looks at the checks as if it were new here. What it did stands in',
  },
  removed: {
    word: 'Take the agent back',
    hint: 'Taken back, it looks at the checks as if it were new here. What it did stands in',
  },
}

type Props = { pull: PullRequest; runId: number; agent: Agent }

/** How the run stands that looks after the checks, why it does no more, and how it is sent away or brought back. */
export function PullAgent({ pull, runId, agent: { phase, attempts, reason } }: Props): ReactElement {
  const reread = useReread(pull)
  const { organization_id: organizationId } = pull
  const wayBack = pull.state === 'open' ? waysBack[phase] : undefined
  const isMinding = pull.state === 'open' && !wayBack
  const change = useMutation({
    mutationFn: () => (wayBack ? client.runs.unban(organizationId, runId) : client.runs.ban(organizationId, runId)),
    onSettled: reread,
  })
  // The agent hears of a merge a moment later.
  const { glyph, words } = phases[pull.merged ? 'merged' : pull.state === 'closed' ? 'closed' : phase]
  return (
    <section aria-labelledby="pull-agent">
      <h2 id="pull-agent">Automatic fixes</h2>
      <div className="pull-agent">
        <StatusGlyph status={glyph} isSilent />
        <p>
          {words}
          {words.endsWith('.') ? '' : reason ? `: ${reason}.` : '.'}
          {attempts > 0 && (
            <span className="text-ink-3">
              {' '}
              {attempts} {attempts === 1 ? 'try' : 'tries'} so far.
            </span>
          )}
        </p>
        {wayBack && (
          <p className="text-ink-3 text-xs">
            {wayBack.hint}{' '}
            <Link className="link" to="/runs/$organizationId/$runId" params={{ organizationId, runId }}>
              its run
            </Link>
            .
          </p>
        )}
        {change.error && <Fault error={change.error} />}
        {(wayBack || isMinding) && (
          <Button look="sm" isBusy={change.isPending} onClick={() => change.mutate()}>
            {wayBack ? wayBack.word : 'Send the agent away'}
          </Button>
        )}
      </div>
    </section>
  )
}
