import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactElement } from 'react'
import { comparisonOfRunQuery, reposQuery, runsQuery } from '#base/api.ts'
import { statusWords } from '#base/status.ts'
import type { Log } from '#log/use-log.ts'
import { formatCount, formatDollars, formatTime } from '#ui/format.ts'
import { EntryFacts } from './entry-facts.tsx'
import { PlanSteps } from './plan-steps.tsx'

/** Details beside the trace: the run, the plan, the selected entry. */
export function Inspector({ run, log, selected }: { run: AgentRun; log: Log; selected: number | null }): ReactElement {
  const entry = selected === null ? log.entries.at(-1) : log.entries[selected - 1]
  return (
    <aside className="run-aside" aria-label="About this run" tabIndex={0}>
      {/* First, because it keeps its height: plans and entries come and change. */}
      <section aria-labelledby="about-run">
        <h2 id="about-run">Run</h2>
        <dl className="kv">
          <Budget run={run} />
          {run.usage.input_tokens + run.usage.output_tokens > 0 && (
            <>
              <dt>Tokens</dt>
              <dd className="num">
                {formatCount(run.usage.input_tokens)} in
                {run.usage.cached_input_tokens > 0 && ` (${formatCount(run.usage.cached_input_tokens)} cached)`} ·{' '}
                {formatCount(run.usage.output_tokens)} out
              </dd>
            </>
          )}
          <Repository run={run} />
          <dt>Engine</dt>
          <dd>{run.model ? `${run.agent_type} · ${run.model}` : run.agent_type}</dd>
          <dt>Limit</dt>
          <dd>{run.timeout_minutes} min per turn</dd>
          <dt>Started</dt>
          <dd>
            {formatTime(run.created_at)}{' '}
            {sourceWords[run.source_type] ?? run.source_type.toLowerCase().replaceAll('_', ' ')}
          </dd>
          {run.parent_run_id !== null && (
            <>
              <dt>Parent run</dt>
              <dd>
                <RunLink run={run} id={run.parent_run_id} />
              </dd>
            </>
          )}
          <ChildRuns run={run} />
          <ComparedIn run={run} />
          <dt>Log</dt>
          <dd className="num">{formatCount(log.length)} entries</dd>
        </dl>
      </section>
      <PlanSteps log={log} />
      {entry && <EntryFacts entry={entry} />}
    </aside>
  )
}

/** Runs that were started for this one. */
function ChildRuns({ run }: { run: AgentRun }): ReactElement | null {
  const { data } = useQuery(runsQuery(run.organization_id, { parent_run_id: run.id }, CHILDREN_MAX))
  if (!data || data.items.length === 0) return null
  return (
    <>
      <dt>Child runs</dt>
      <dd>
        {data.items.map(({ id, status }) => (
          <div key={id}>
            <RunLink run={run} id={id} /> {statusWords[status]}
          </div>
        ))}
      </dd>
    </>
  )
}

const CHILDREN_MAX = 20

function RunLink({ run, id: runId }: { run: AgentRun; id: number }): ReactElement {
  return (
    <Link className="link" to="/runs/$organizationId/$runId" params={{ organizationId: run.organization_id, runId }}>
      #{runId}
    </Link>
  )
}

/** The comparison that it is a contestant of. */
function ComparedIn({ run: { organization_id: organizationId, id } }: { run: AgentRun }): ReactElement | null {
  const { data } = useQuery(comparisonOfRunQuery(organizationId, id))
  if (!data) return null
  return (
    <>
      <dt>Comparison</dt>
      <dd>
        <Link
          className="link"
          to="/organizations/$organizationId/comparisons/$comparisonId"
          params={{ organizationId, comparisonId: data.id }}
        >
          #{data.id}
        </Link>
      </dd>
    </>
  )
}

const sourceWords: Record<string, string> = { WEB: 'in the web UI', API: 'via API', CLI: 'from the command line' }

function Budget({ run: { max_cost_usd: most, usage } }: { run: AgentRun }): ReactElement | null {
  const { cost_usd: cost } = usage
  if (cost === null && most === null) return null
  const part = most ? Math.min(100, ((cost ?? 0) / most) * 100) : 0
  return (
    <>
      <dt>Cost</dt>
      <dd>
        <span className="row">
          {most !== null && (
            <span
              className={`grow meter ${part > 80 ? 'waiting_for_user' : 'in_progress'}`}
              role="meter"
              aria-label="Budget used"
              aria-valuenow={Math.round(part)}
              aria-valuemin={0}
              aria-valuemax={100}
            >
              <i style={{ '--v': `${part}%` } as CSSProperties} />
            </span>
          )}
          <span className="num">
            {cost === null ? 'up to' : formatDollars(cost)}
            {most === null ? '' : `${cost === null ? '' : ' of'} ${formatDollars(most)}`}
          </span>
        </span>
      </dd>
    </>
  )
}

function Repository({ run }: { run: AgentRun }): ReactElement | null {
  const { data: repos } = useQuery(reposQuery(run.organization_id))
  const { repo_id: repoId } = run
  if (repoId === null) return null
  return (
    <>
      <dt>Repository</dt>
      <dd>
        <Link
          className="link"
          to="/runs/$organizationId"
          params={{ organizationId: run.organization_id }}
          search={{ repo: repoId }}
        >
          {repos?.find(({ id }) => id === repoId)?.name ?? `#${repoId}`}
        </Link>
      </dd>
    </>
  )
}
