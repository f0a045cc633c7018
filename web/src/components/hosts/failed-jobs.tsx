import type { FailedJob } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client, failedJobsQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { Button } from '#ui/button.tsx'
import { formatAgo } from '#ui/format.ts'
import { LinkedText } from '#ui/linked-text.tsx'

/** Background work of an organization that failed at every try, for those who can retry it. Nothing where there is none. */
export function FailedJobs({ organizationId }: { organizationId: number }): ReactElement | null {
  const { data } = useQuery(failedJobsQuery(organizationId))
  if (!data?.total) return null
  return (
    <section className="section" aria-labelledby="failed-jobs">
      <div className="section-head">
        <div className="grow">
          <h2 id="failed-jobs">Failed jobs</h2>
          <p>Background work that failed at every try. Fix the cause, then retry.</p>
        </div>
      </div>
      <ul className="panel list">
        {data.items.map((job) => (
          <JobRow key={job.id} organizationId={organizationId} job={job} />
        ))}
      </ul>
    </section>
  )
}

function JobRow({ organizationId, job }: { organizationId: number; job: FailedJob }): ReactElement {
  const queries = useQueryClient()
  const { queryKey } = failedJobsQuery(organizationId)
  const retry = useMutation({
    mutationFn: () => client.organizations.retryJob({ org_id: organizationId, job_id: job.id }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <li>
      <StatusGlyph size={16} status="failed" label="Failed" />
      <div className="grow">
        <div className="strong truncate">
          {titles[job.kind]}
          {job.subject && <span className="tag">{nameOfSubject(job.subject)}</span>}
        </div>
        <div className="faint small">
          {`Given up ${formatAgo(job.gave_up_at, Date.now())} after ${job.tries} ${job.tries === 1 ? 'try' : 'tries'}`}
          {job.agent_run_id !== null && (
            <>
              {' · '}
              <Link to="/runs/$organizationId/$runId" params={{ organizationId, runId: job.agent_run_id }}>
                Run {job.agent_run_id}
              </Link>
            </>
          )}
        </div>
        <p className="failed tone small">
          <LinkedText text={job.problem} />
        </p>
        {retry.error && <Fault error={retry.error} />}
      </div>
      <Button look="sm" isBusy={retry.isPending} onClick={() => retry.mutate()}>
        Retry
      </Button>
    </li>
  )
}

const titles: Record<FailedJob['kind'], string> = {
  sync: 'Sync repositories',
  delivery: 'Read a webhook',
  poll: 'Check a repository for changes',
  host_event: 'Handle an event on a code host',
  check: 'Run a check',
  comparison: 'Judge a comparison, or keep its winner',
  status_comment: 'Post the answer of a run',
  fixer: 'Check on a pull request',
  review: 'Start a review',
}

/** `pull:7` as people write it. */
function nameOfSubject(subject: string): string {
  const [kind, name = ''] = subject.split(/:(.*)/s)
  if (kind === 'pull') return `Pull request #${name}`
  if (kind === 'issue') return `Issue #${name}`
  return name || subject
}
