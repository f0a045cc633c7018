import { checkConclusions, type CheckConclusion } from '#base/hosts/host-facts.ts'
import { HostError, type HostCheck } from '#adapters/codehosts/code-host.ts'
import type { CheckReport, Forge } from '#adapters/codehosts/forge.ts'
import type { GitHubClient, Need, Reached } from './client.ts'
import { cutText } from './cut-text.ts'
import { readLog } from './read-log.ts'
import { readPages } from './read-pages.ts'

const reading: Need = { checks: 'read', statuses: 'read' }

type Checks = Pick<Forge, 'listChecks' | 'readCheckLog' | 'rerunCheck' | 'reportCheck'>

/** Check runs and commit statuses, as one list. Their keys say which they are. */
export function openChecks(client: GitHubClient): Checks {
  return {
    listChecks: async (ref, commit) => {
      const at = await client.reach(ref, reading)
      const runs = (await listRuns(at, commit)).map(readRun)
      const begun = runs.some(({ app }) => app === actions) ? [] : await listBegun(at, commit)
      return { commit, checks: [...runs, ...begun, ...(await listStatuses(at, commit))], readAt: client.now() }
    },
    readCheckLog: async (ref, check, options) => {
      const id = runIdOf(check)
      return id === null ? null : readLog(client, ref, { id, isOfActions: check.app === actions, ...options })
    },
    rerunCheck: async (ref, check) => {
      const id = runIdOf(check)
      if (id === null) return false
      try {
        if (check.app === actions) {
          const { ask, owner, repo } = await client.reach(ref, { actions: 'write' })
          await ask('POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun', { owner, repo, job_id: id })
        } else {
          const { ask, owner, repo } = await client.reach(ref, { checks: 'write' })
          await ask('POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest', { owner, repo, check_run_id: id })
        }
        return true
      } catch (error) {
        // Only who made a check may do that, and only some of them can.
        if (error instanceof HostError && ['forbidden', 'not_found', 'invalid', 'conflict'].includes(error.code))
          return false
        throw error
      }
    },
    reportCheck: async (ref, commit, report) => {
      // Only an App makes check runs; somebody's token says it in a status.
      const isApp = await client.isApp(ref)
      const at = await client.reach(ref, isApp ? { checks: 'write' } : { statuses: 'write' })
      await (isApp ? saveRun(at, commit, report) : saveStatus(at, commit, report))
    },
  }
}

const actions = 'github-actions'
const runPrefix = 'check_run:'

const runIdOf = ({ key }: HostCheck) => (key.startsWith(runPrefix) ? Number(key.slice(runPrefix.length)) : null)

async function listRuns({ ask, owner, repo }: Reached, commit: string) {
  const { items } = await readPages(async (page) => {
    const { data, headers } = await ask('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
      owner,
      repo,
      ref: commit,
      ...page,
    })
    return { data: data.check_runs, headers }
  })
  return items
}

/**
 * GitHub Actions that have begun and have no job yet, as one check: until then nothing else says that there will be any. Suites of
 * other apps say nothing: GitHub makes one for each app that is installed, which stays as it is where the app does nothing.
 */
async function listBegun({ ask, owner, repo }: Reached, commit: string): Promise<HostCheck[]> {
  const { data } = await ask('GET /repos/{owner}/{repo}/commits/{ref}/check-suites', {
    owner,
    repo,
    ref: commit,
    per_page: 100,
  })
  const suites = data.check_suites.filter(
    ({ app, status, latest_check_runs_count: count }) => app?.slug === actions && status !== 'completed' && count === 0,
  )
  return suites.map(({ id, created_at: created }) => ({
    key: `check_suite:${id}`,
    name: 'GitHub Actions',
    app: actions,
    status: 'queued',
    conclusion: null,
    url: null,
    summary: null,
    hasLog: false,
    startedAt: created ? new Date(created) : null,
    completedAt: null,
  }))
}

type Run = Awaited<ReturnType<typeof listRuns>>[number]

function readRun(run: Run): HostCheck {
  const app = run.app?.slug ?? 'unknown'
  const conclusion = checkConclusions.find((word) => word === run.conclusion) ?? 'failure'
  const isCompleted = run.status === 'completed'
  return {
    key: runPrefix + run.id,
    name: run.name,
    app,
    status: isCompleted ? 'completed' : run.status === 'in_progress' ? 'in_progress' : 'queued',
    conclusion: isCompleted ? conclusion : null,
    url: run.details_url ?? run.html_url,
    summary: [run.output.title, run.output.summary].filter(Boolean).join('\n') || null,
    hasLog: isCompleted && (app === actions || Boolean(run.output.text) || run.output.annotations_count > 0),
    startedAt: run.started_at ? new Date(run.started_at) : null,
    completedAt: run.completed_at ? new Date(run.completed_at) : null,
  }
}

async function listStatuses({ ask, owner, repo }: Reached, commit: string): Promise<HostCheck[]> {
  const { items } = await readPages(async (page) => {
    const { data, headers } = await ask('GET /repos/{owner}/{repo}/commits/{ref}/status', {
      owner,
      repo,
      ref: commit,
      ...page,
    })
    return { data: data.statuses, headers }
  })
  return items.map(({ context, state, target_url: url, description, created_at: began, updated_at: ended }) => ({
    key: `status:${context}`,
    name: context,
    app: 'status',
    status: state === 'pending' ? 'in_progress' : 'completed',
    conclusion: state === 'pending' ? null : state === 'success' ? 'success' : 'failure',
    url: url ?? null,
    summary: description ?? null,
    hasLog: false,
    startedAt: new Date(began),
    completedAt: state === 'pending' ? null : new Date(ended),
  }))
}

async function saveRun(at: Reached, commit: string, report: CheckReport): Promise<void> {
  const { ask, owner, repo, connection } = at
  const { credentials } = connection
  const { key, name, status, conclusion, title, summary, url, actions = [] } = report
  const ours = (await listRuns(at, commit)).find(
    (run) => run.external_id === key && 'appId' in credentials && run.app?.id === credentials.appId,
  )
  const content = {
    owner,
    repo,
    name,
    details_url: url,
    external_id: key,
    output: { title, summary: cutText(summary) },
    actions: actions.map(({ id: identifier, label, description }) => ({ identifier, label, description })),
    ...(status === 'completed' ? { status, conclusion: takenBy(conclusion) } : { status }),
  }
  if (ours) await ask('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', { ...content, check_run_id: ours.id })
  else await ask('POST /repos/{owner}/{repo}/check-runs', { ...content, head_sha: commit })
}

/** Two words GitHub alone may use. */
function takenBy(conclusion: CheckConclusion | null): Exclude<CheckConclusion, 'stale' | 'startup_failure'> {
  if (conclusion === 'startup_failure') return 'failure'
  return conclusion === null || conclusion === 'stale' ? 'neutral' : conclusion
}

async function saveStatus({ ask, owner, repo }: Reached, commit: string, report: CheckReport): Promise<void> {
  const { name, status, conclusion, title, url } = report
  const isGood = conclusion === 'success' || conclusion === 'neutral' || conclusion === 'skipped'
  const state = status === 'completed' ? (isGood ? 'success' : 'failure') : 'pending'
  const content = { state, context: name, description: title.slice(0, 140), target_url: url } as const
  await ask('POST /repos/{owner}/{repo}/statuses/{sha}', { owner, repo, sha: commit, ...content })
}
