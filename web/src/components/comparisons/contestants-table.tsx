import type { Comparison, Contestant } from '@runwright/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { hasEnded } from '#base/status.ts'
import { Button } from '#ui/button.tsx'
import { Elapsed } from '#ui/elapsed.tsx'
import { countOf, formatDollars, formatDuration, formatTokens } from '#ui/format.ts'
import { Markdown } from '#ui/markdown.tsx'
import { OutcomePill } from './outcome-pill.tsx'
import type { ComparisonIds } from './queries.ts'
import { VerdictLine } from './verdict-line.tsx'

type Props = { ids: ComparisonIds; comparison: Comparison; onKeep: (contestant: Contestant) => void }

/** The contestants side by side. */
export function ContestantsTable({ ids, comparison, onKeep }: Props): ReactElement {
  const { organizationId } = ids
  const { contestants, judges, winner_run_id: winner } = comparison
  const runOf = ({ run_id: runId }: Contestant) => ({ organizationId, runId })
  const rows: [string, (contestant: Contestant) => ReactNode][] = [
    ['Outcome', (one) => <OutcomePill contestant={one} isKept={one.run_id === winner} />],
    ...judges.map(({ name }): (typeof rows)[number] => [
      name,
      (one) => (
        <VerdictLine
          ids={ids}
          verdict={one.verdicts.find((verdict) => verdict.name === name)}
          isOver={one.outcome !== 'open'}
        />
      ),
    ]),
    ['Cost', ({ usage: { cost_usd: usd } }) => (usd === null ? 'Unknown' : formatDollars(usd))],
    ['Tokens', ({ usage }) => formatTokens(usage.input_tokens + usage.output_tokens)],
    ['Duration', (one) => <Duration contestant={one} />],
    ['Steps', ({ steps }) => steps],
    [
      'Changes',
      (one) => (
        <Link to="/runs/$organizationId/$runId" params={runOf(one)} search={{ tab: 'changes' }} className="link">
          {changesOf(one)}
        </Link>
      ),
    ],
    ['Engine', ({ agent_type: engine, model, effort }) => [engine, model, effort].filter(Boolean).join(' · ')],
    ['Answer', (one) => <Answer contestant={one} />],
    ['Work', (one) => <Work comparison={comparison} contestant={one} ids={ids} onKeep={onKeep} />],
  ]
  if (contestants.some(({ prompt }) => prompt !== null))
    rows.splice(-2, 0, ['Prompt', ({ prompt }) => <span className="compare-prompt">{prompt ?? 'As above'}</span>])
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label="Contestants">
      <table
        className={`table compare ${contestants.length > 2 ? 'many' : ''}`}
        style={{ minWidth: `${8 + contestants.length * 13}rem` }}
      >
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">What</span>
            </th>
            {contestants.map((one) => (
              <th key={one.n} scope="col">
                <Link className="link" to="/runs/$organizationId/$runId" params={runOf(one)}>
                  {one.name}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, show]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {contestants.map((one) => (
                <td key={one.n}>{show(one)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Duration({ contestant }: { contestant: Contestant }): ReactElement {
  const { started_at: from, finished_at: to, status } = contestant
  if (from === null) return <>Not started</>
  if (to !== null && hasEnded(status)) return <>{formatDuration(Date.parse(to) - Date.parse(from))}</>
  return <Elapsed from={Date.parse(from)} to={null} form="words" />
}

function changesOf({ diff, outcome }: Contestant): string {
  if (!diff) return outcome === 'open' ? 'Not yet' : 'None'
  return `${countOf(diff.files, 'file')} (+${diff.additions} −${diff.deletions})`
}

function Answer({ contestant: { status, error, answer } }: { contestant: Contestant }): ReactElement {
  if (status === 'failed') return <span className="failed tone">{error?.message ?? 'Unknown error'}</span>
  if (!answer) return <>None yet</>
  return (
    <div className="prose">
      <Markdown text={answer} />
    </div>
  )
}

type WorkProps = Props & { contestant: Contestant }

/** Its branch and pull request, or what can be done with them. */
function Work({ ids, comparison, contestant, onKeep }: WorkProps): ReactElement {
  const { repo_id: repoId, winner_run_id: winner } = comparison
  const { run_id: runId, outcome, branch, branch_deleted_at: deletedAt, pull_request: pull } = contestant
  if (pull && repoId !== null)
    return (
      <Link
        className="link"
        to="/organizations/$organizationId/repos/$repoId/pulls/$number"
        params={{ organizationId: ids.organizationId, repoId, number: pull.number }}
      >
        Pull request #{pull.number}
      </Link>
    )
  if (winner === null && outcome === 'passed')
    return (
      <Button look="sm" onClick={() => onKeep(contestant)}>
        Keep this one
      </Button>
    )
  if (deletedAt) return <span className="faint">Branch deleted</span>
  if (runId === winner && comparison.open_pull_request) return <span className="faint">Opening a pull request…</span>
  return branch ? <code>{branch}</code> : <span className="faint">No branch</span>
}
