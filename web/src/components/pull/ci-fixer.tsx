import type { PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { Button } from '#ui/button.tsx'
import { useReread } from './use-reread.ts'

type Agent = NonNullable<PullRequest['agent']>
type Glyph = Parameters<typeof StatusGlyph>[0]['status']

const phases: Record<Agent['phase'], { glyph: Glyph; words: string }> = {
  waiting_checks: { glyph: 'queued', words: 'Waiting for checks to finish.' },
  detecting: { glyph: 'in_progress', words: 'The agent is looking at what failed.' },
  rerunning: { glyph: 'in_progress', words: 'Rerunning a check to see whether it fails again.' },
  fixing: { glyph: 'in_progress', words: 'The agent is fixing what failed.' },
  green: { glyph: 'completed', words: 'All checks passed. If one fails, the agent fixes it.' },
  gave_up: { glyph: 'failed', words: 'The agent gave up' },
  paused: { glyph: 'paused', words: 'Auto-fix is paused' },
  closed: { glyph: 'cancelled', words: 'Auto-fix ended: the pull request is closed.' },
  merged: { glyph: 'completed', words: 'Auto-fix ended: the pull request is merged.' },
  banned: { glyph: 'cancelled', words: 'Auto-fix is off for this pull request.' },
  removed: {
    glyph: 'cancelled',
    words: 'The agent was removed from this pull request, and its work here was stopped.',
  },
}

/** What brings it back: to where its tries count anew. */
const waysBack: Partial<Record<Agent['phase'], { word: string; hint: string }>> = {
  gave_up: {
    word: 'Try again',
    hint: 'It starts over with no memory of earlier attempts. To tell it more, send a message to',
  },
  paused: {
    word: 'Resume auto-fix',
    hint: 'It starts over with no memory of earlier attempts. To tell it more, send a message to',
  },
  banned: {
    word: 'Turn on auto-fix',
    hint: 'It starts over with no memory of earlier attempts. What it did is in the log of',
  },
  removed: {
    word: 'Turn on auto-fix',
    hint: 'It starts over with no memory of earlier attempts. What it did is in the log of',
  },
}

type Props = { pull: PullRequest; runId: number; agent: Agent }

/** How the run stands that looks after the checks, why it does no more, and how it is sent away or brought back. */
export function CiFixer({ pull, runId, agent: { phase, attempts, reason } }: Props): ReactElement {
  const reread = useReread(pull)
  const { organization_id: organizationId } = pull
  const wayBack = pull.state === 'open' ? waysBack[phase] : undefined
  const isMinding = pull.state === 'open' && !wayBack
  const change = useMutation({
    mutationFn: () =>
      wayBack
        ? client.runs.unbanRun({ org_id: organizationId, agent_run_id: runId })
        : client.runs.banRun({ org_id: organizationId, agent_run_id: runId }),
    onSettled: reread,
  })
  // The agent hears of a merge a moment later.
  const { glyph, words } = phases[pull.merged ? 'merged' : pull.state === 'closed' ? 'closed' : phase]
  return (
    <section aria-labelledby="ci-fixer">
      <h2 id="ci-fixer">Auto-fix</h2>
      <div className="ci-fixer">
        <StatusGlyph status={glyph} isSilent />
        <p>
          {words}
          {words.endsWith('.') ? '' : reason ? `: ${reason}.` : '.'}
          {attempts > 0 && (
            <span className="faint">
              {' '}
              {attempts} {attempts === 1 ? 'attempt' : 'attempts'} so far.
            </span>
          )}
        </p>
        {wayBack && (
          <p className="faint small">
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
            {wayBack ? wayBack.word : 'Turn off auto-fix'}
          </Button>
        )}
      </div>
    </section>
  )
}
