import { randomBytes } from 'node:crypto'
import { GitHubError, notFound } from '#test/github/github-error.ts'
import { page, type Call, type Reply, type Route } from '#test/github/route.ts'
import { runWorkflow } from '#test/github/run-workflow.ts'
import { showCheckRun } from '#test/github/show.ts'
import { fullName, type CheckRun } from '#test/github/world.ts'
import { findRun } from './check-routes.ts'

const at = '/repos/{owner}/{repo}/actions'
const read = { needs: { actions: 'read' as const } }
const write = { needs: { actions: 'write' as const } }

export const actionsRoutes: Route[] = [
  { at: `GET ${at}/jobs/{id}`, ...read, answer: getJob },
  { at: `GET ${at}/jobs/{id}/logs`, ...read, answer: getLog },
  { at: `POST ${at}/jobs/{id}/rerun`, ...write, answer: rerunJob },
  { at: `GET ${at}/runs/{id}/jobs`, ...read, answer: listJobs },
  { at: `POST ${at}/runs/{id}/rerun-failed-jobs`, ...write, answer: rerunRun },
]

function findJob(call: Call): CheckRun & { job: NonNullable<CheckRun['job']> } {
  const run = findRun(call)
  if (!run.job) throw notFound()
  return run as CheckRun & { job: NonNullable<CheckRun['job']> }
}

const showJob = ({ world, repository }: Call, run: CheckRun) => {
  const { id, name, status, conclusion, html_url } = showCheckRun(world, repository, run)
  return {
    id,
    run_id: run.suiteId,
    run_attempt: run.job?.attempt ?? 1,
    head_sha: run.sha,
    head_branch: run.job?.branch ?? null,
    name,
    status,
    conclusion,
    html_url,
    started_at: run.startedAt.toISOString(),
    completed_at: run.completedAt?.toISOString() ?? null,
    steps: [],
    check_run_url: `${world.apiUrl}/repos/${fullName(repository)}/check-runs/${run.id}`,
    workflow_name: 'CI',
  }
}

function getJob(call: Call): Reply {
  return { body: showJob(call, findJob(call)) }
}

/** Somewhere else, for whoever has the address, for a minute. */
function getLog(call: Call): Reply {
  const run = findJob(call)
  if (run.status !== 'completed') throw notFound()
  const signature = randomBytes(24).toString('hex')
  call.world.logLinks.set(signature, { run, until: new Date(Date.now() + 60_000) })
  return { status: 302, headers: { location: `${call.world.logsUrl}/${run.id}.txt?sig=${signature}` } }
}

function listJobs(call: Call): Reply {
  const jobs = call.repository.checkRuns.filter((run) => run.job && String(run.suiteId) === call.params['id'])
  return page(
    call,
    jobs.map((run) => showJob(call, run)),
    (shown) => ({ total_count: jobs.length, jobs: shown }),
  )
}

function rerunJob(call: Call): Reply {
  rerun(call, [findJob(call)])
  return { status: 201, body: {} }
}

function rerunRun(call: Call): Reply {
  const of = call.repository.checkRuns.filter((run) => run.job && String(run.suiteId) === call.params['id'])
  const failed = of.filter((run) => run.conclusion !== 'success')
  if (!failed.length) throw new GitHubError(403, 'This workflow run has no failed jobs')
  rerun(call, failed)
  return { status: 201, body: {} }
}

function rerun({ world, repository }: Call, runs: CheckRun[]): void {
  const [first] = runs
  if (!first?.job) return
  if (runs.some((run) => run.status !== 'completed')) throw new GitHubError(403, 'This workflow is already running')
  for (const run of runs) Object.assign(run, { status: 'queued', conclusion: null, completedAt: null })
  runWorkflow(world, repository, { sha: first.sha, branch: first.job.branch, attempt: first.job.attempt + 1 })
}
