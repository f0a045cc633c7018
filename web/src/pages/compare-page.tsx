import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { diffQuery, isNotThere, reposQuery, runQuery } from '#base/api.ts'
import { readFiles } from '#components/diff/read-files.ts'
import { Fault } from '#components/fault.tsx'
import { nameOfRepo } from '#base/name-of-repo.ts'
import { NotFound } from '#components/not-found.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { PullLink } from '#components/pull-link.tsx'
import { titleOf } from '#components/run-title.tsx'
import { StatusPill } from '#components/status-pill.tsx'
import { hasEnded, statusWords } from '#base/status.ts'
import { useNames } from '#components/use-names.ts'
import { countOf, formatDuration, formatSpent, formatTokens } from '#ui/format.ts'
import { Markdown } from '#ui/markdown.tsx'
import type { DiffFile } from '#ui/read-diff.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'

/** Two runs side by side: what they were asked, what came of it, and what it took. */
export function ComparePage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/runs/$organizationId/compare' })
  const { a = 0, b = 0 } = useSearch({ from: '/shell/runs/$organizationId/compare' })
  const one = useQuery({ ...runQuery({ organizationId, runId: a }), enabled: a > 0 })
  const other = useQuery({ ...runQuery({ organizationId, runId: b }), enabled: b > 0 })
  const error = one.error ?? other.error
  if (!a || !b || isNotThere(error)) return <NotFound />
  return (
    <PageFrame title="Compare runs">
      {error && <Fault error={error} />}
      {one.data && other.data ? <Comparison runs={[one.data, other.data]} /> : <Skeleton rows={8} height={44} />}
    </PageFrame>
  )
}

function Comparison({ runs }: { runs: [AgentRun, AgentRun] }): ReactElement {
  const [{ organization_id: organizationId }] = runs
  const nameOf = useNames(organizationId)
  const { data: repos } = useQuery(reposQuery(organizationId))
  const repoOf = ({ repo_id: id }: AgentRun) => {
    const repo = repos?.find((one) => one.id === id)
    return repo ? nameOfRepo(repo) : 'None'
  }
  const rows: [string, (run: AgentRun) => ReactNode][] = [
    ['Status', (run) => <StatusPill status={run.status} word={statusWords[run.status]} />],
    ['Prompt', (run) => <span className="compare-prompt">{run.prompt}</span>],
    ['Repository', repoOf],
    ['Engine', ({ agent_type: engine, model }) => (model ? `${engine} · ${model}` : engine)],
    ['Started', (run) => <Time at={run.started_at ?? run.created_at} />],
    ['Started by', ({ user_id: id }) => (id === null ? 'Nobody' : nameOf(id))],
    ['Duration', durationOf],
    ['Turns', ({ turn }) => turn],
    ['Cost', ({ usage }) => formatSpent(usage) || 'None'],
    ['Tokens', ({ usage }) => formatTokens(usage.input_tokens + usage.output_tokens)],
    ['Changes', (run) => <Changes run={run} />],
    ['Pull requests', (run) => <Pulls run={run} />],
    ['Result', (run) => <Result run={run} />],
  ]
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label="Comparison">
      <table className="table compare">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">What</span>
            </th>
            {runs.map((run, n) => (
              <th key={n} scope="col">
                <Link className="link" to="/runs/$organizationId/$runId" params={{ organizationId, runId: run.id }}>
                  #{run.id} {titleOf(run)}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, show]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {runs.map((run, n) => (
                <td key={n}>{show(run)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function durationOf({ started_at: from, finished_at: to, status }: AgentRun): string {
  if (from === null) return 'Not started'
  return to !== null && hasEnded(status) ? formatDuration(Date.parse(to) - Date.parse(from)) : 'Still running'
}

function Changes({ run }: { run: AgentRun }): ReactElement {
  const ids = { organizationId: run.organization_id, runId: run.id }
  const { data: files } = useQuery({ ...diffQuery(ids), select: readFiles })
  if (!files?.length) return <></>
  const sum = (count: (file: DiffFile) => number) => files.reduce((all, file) => all + count(file), 0)
  return (
    <>
      {countOf(files.length, 'file')} (+{sum(({ added }) => added)} −{sum(({ removed }) => removed)})
    </>
  )
}

function Pulls({ run }: { run: AgentRun }): ReactElement {
  if (!run.github_pull_requests.length) return <>None</>
  return (
    <>
      {run.github_pull_requests.map((pull) => (
        <PullLink key={pull.id} className="link" run={run} pull={pull}>
          #{pull.number} {pull.merged ? 'merged' : pull.state}
        </PullLink>
      ))}
    </>
  )
}

function Result({ run }: { run: AgentRun }): ReactElement {
  if (run.status === 'failed') return <span className="failed tone">{run.error?.message ?? 'Unknown error'}</span>
  return run.result ? (
    <div className="prose">
      <Markdown text={run.result} />
    </div>
  ) : (
    <>None yet</>
  )
}
