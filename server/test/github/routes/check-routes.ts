import { accountOf } from '#test/github/authorize.ts'
import { GitHubError, invalid, notFound } from '#test/github/github-error.ts'
import { needText, page, textOf, type Call, type Reply, type Route } from '#test/github/route.ts'
import { makeCheckRun, suiteOf, tellCheckRun, tellSuite } from '#test/github/run-workflow.ts'
import { showCheckRun, showStatus, showSuite } from '#test/github/show.ts'
import { fullName, nextId, resolve, type App, type CheckRun, type Status, type Suite } from '#test/github/world.ts'

const at = '/repos/{owner}/{repo}'
const read = { needs: { checks: 'read' as const } }
const write = { needs: { checks: 'write' as const } }

export const checkRoutes: Route[] = [
  { at: `POST ${at}/check-runs`, ...write, answer: createCheckRun },
  { at: `PATCH ${at}/check-runs/{id}`, ...write, answer: updateCheckRun },
  { at: `GET ${at}/check-runs/{id}`, ...read, answer: (call) => showRun(call, findRun(call)) },
  { at: `GET ${at}/check-runs/{id}/annotations`, ...read, answer: (call) => page(call, findRun(call).annotations) },
  { at: `POST ${at}/check-runs/{id}/rerequest`, ...write, answer: rerequest },
  { at: `GET ${at}/commits/{ref}/check-runs`, ...read, answer: listCheckRuns },
  { at: `GET ${at}/commits/{ref}/check-suites`, ...read, answer: listSuites },
  {
    at: `GET ${at}/check-suites/{id}`,
    ...read,
    answer: (call) => ({ body: showSuite(call.world, call.repository, findSuite(call)) }),
  },
  { at: `GET ${at}/check-suites/{id}/check-runs`, ...read, answer: listRunsOfSuite },
  { at: `POST ${at}/statuses/{sha}`, needs: { statuses: 'write' }, answer: createStatus },
  { at: `GET ${at}/commits/{ref}/statuses`, needs: { statuses: 'read' }, answer: listStatuses },
  { at: `GET ${at}/commits/{ref}/status`, needs: { statuses: 'read' }, answer: combinedStatus },
]

function appIn({ by, world }: Call): App {
  const installation = by && 'token' in by ? by.token.installation : null
  if (!installation) throw new GitHubError(403, 'You must authenticate via a GitHub App.')
  return world.apps.find((app) => app === installation.app) ?? installation.app
}

const showRun = ({ world, repository }: Call, run: CheckRun): Reply => ({ body: showCheckRun(world, repository, run) })

export function findRun({ repository, params }: Call): CheckRun {
  const run = repository.checkRuns.find((each) => String(each.id) === params['id'])
  if (!run) throw notFound()
  return run
}

function findSuite({ repository, params }: Call): Suite {
  const suite = repository.suites.find((each) => String(each.id) === params['id'])
  if (!suite) throw notFound()
  return suite
}

async function createCheckRun(call: Call): Promise<Reply> {
  const { world, repository } = call
  const app = appIn(call)
  const name = needText(call, 'name', 'CheckRun')
  const sha = await resolve(repository, needText(call, 'head_sha', 'CheckRun'))
  const run = makeCheckRun(world, repository, { suite: suiteOf(world, repository, { app, sha, branch: null }), name })
  apply(call, run)
  tellCheckRun(world, repository, run, 'created')
  tellDone(call, run)
  return { ...showRun(call, run), status: 201 }
}

function updateCheckRun(call: Call): Reply {
  const run = findRun(call)
  if (run.app !== appIn(call))
    throw new GitHubError(
      403,
      'Invalid app_id `' + appIn(call).id + '` - check run can only be modified by the GitHub App that created it.',
    )
  apply(call, run)
  tellDone(call, run)
  return showRun(call, run)
}

function tellDone({ world, repository }: Call, run: CheckRun): void {
  if (run.status !== 'completed') return
  tellCheckRun(world, repository, run, 'completed')
  const suite = repository.suites.find((each) => each.id === run.suiteId)
  if (suite) tellSuite(world, repository, suite)
}

const statuses = new Set(['queued', 'in_progress', 'completed', 'waiting', 'requested', 'pending'])
const conclusions = new Set(['success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required'])

function apply(call: Call, run: CheckRun): void {
  const { body } = call
  const [status, conclusion] = [textOf(call, 'status', 'CheckRun'), textOf(call, 'conclusion', 'CheckRun')]
  if (status !== null && !statuses.has(status)) throw invalid('CheckRun', { field: 'status' })
  if (conclusion !== null && !conclusions.has(conclusion)) throw invalid('CheckRun', { field: 'conclusion' })
  if (status === 'completed' && conclusion === null)
    throw invalid('CheckRun', { field: 'conclusion', code: 'missing_field' })
  if (status !== null) run.status = status
  if (status !== null && status !== 'completed') Object.assign(run, { conclusion: null, completedAt: null })
  if (conclusion !== null) Object.assign(run, { status: 'completed', conclusion, completedAt: new Date() })
  run.name = textOf(call, 'name') ?? run.name
  run.externalId = textOf(call, 'external_id') ?? run.externalId
  run.detailsUrl = textOf(call, 'details_url') ?? run.detailsUrl
  const { actions } = body
  if (Array.isArray(actions)) run.actions = actions.map(({ identifier }: { identifier: string }) => identifier)
  const output = body['output'] as Record<string, unknown> | undefined
  if (!output) return
  const { title, summary, text, annotations = [] } = output
  if (typeof summary !== 'string' || typeof title !== 'string')
    throw invalid('CheckRun', { field: 'output', code: 'missing_field' })
  if (summary.length > 65_535 || (typeof text === 'string' && text.length > 65_535))
    throw invalid('CheckRun', 'Only 65535 characters are allowed')
  if (!Array.isArray(annotations) || annotations.length > 50) throw invalid('CheckRun', 'No more than 50 annotations')
  run.output = { title, summary, text: typeof text === 'string' ? text : null }
  run.annotations.push(...(annotations as Record<string, unknown>[]))
}

function rerequest(call: Call): Reply {
  const run = findRun(call)
  if (run.app !== appIn(call))
    throw new GitHubError(403, 'This check run is not owned by the authenticated GitHub App.')
  Object.assign(run, { status: 'queued', conclusion: null, completedAt: null })
  tellCheckRun(call.world, call.repository, run, 'rerequested')
  return { status: 201, body: {} }
}

async function listCheckRuns(call: Call): Promise<Reply> {
  const { repository, params, url } = call
  const sha = await resolve(repository, params['ref'] ?? '')
  return listRuns(call, (run) => run.sha === sha && (url.searchParams.get('status') ?? run.status) === run.status)
}

function listRunsOfSuite(call: Call): Reply {
  return listRuns(call, (run) => String(run.suiteId) === call.params['id'])
}

function listRuns(call: Call, isWanted: (run: CheckRun) => boolean): Reply {
  const { world, repository, url } = call
  const name = url.searchParams.get('check_name')
  const found = repository.checkRuns.filter((run) => isWanted(run) && (!name || run.name === name))
  const isLatest = (run: CheckRun) =>
    !found.some((other) => other.id > run.id && other.name === run.name && other.suiteId === run.suiteId)
  const shown = url.searchParams.get('filter') === 'all' ? found : found.filter(isLatest)
  return page(
    call,
    shown.map((run) => showCheckRun(world, repository, run)),
    (check_runs) => ({ total_count: shown.length, check_runs }),
  )
}

async function listSuites(call: Call): Promise<Reply> {
  const { world, repository, params } = call
  const sha = await resolve(repository, params['ref'] ?? '')
  const found = repository.suites.filter((suite) => suite.sha === sha)
  return page(
    call,
    found.map((suite) => showSuite(world, repository, suite)),
    (check_suites) => ({ total_count: found.length, check_suites }),
  )
}

async function createStatus(call: Call): Promise<Reply> {
  const { world, repository, params } = call
  const sha = await resolve(repository, params['sha'] ?? '')
  const state = needText(call, 'state', 'Status')
  if (!['error', 'failure', 'pending', 'success'].includes(state)) throw invalid('Status', { field: 'state' })
  const description = textOf(call, 'description', 'Status')
  if (description && description.length > 140)
    throw invalid('Status', {
      field: 'description',
      code: 'custom',
      message: 'description is too long (maximum is 140 characters)',
    })
  const by = accountOf(call.by)
  const [context, targetUrl] = [textOf(call, 'context', 'Status') ?? 'default', textOf(call, 'target_url', 'Status')]
  const status: Status = { id: nextId(world), sha, state, context, description, targetUrl, by, createdAt: new Date() }
  repository.statuses.push(status)
  const shown = showStatus(world, status)
  const branches: unknown[] = []
  world.tell({ event: 'status', repository, by, payload: { ...shown, sha, name: fullName(repository), branches } })
  return { status: 201, body: shown }
}

async function statusesOf({ repository, params }: Call): Promise<{ sha: string; all: Status[] }> {
  const sha = await resolve(repository, params['ref'] ?? '')
  return { sha, all: repository.statuses.filter((status) => status.sha === sha).toReversed() }
}

async function listStatuses(call: Call): Promise<Reply> {
  const { all } = await statusesOf(call)
  return page(
    call,
    all.map((status) => showStatus(call.world, status)),
  )
}

async function combinedStatus(call: Call): Promise<Reply> {
  const { sha, all } = await statusesOf(call)
  const latest = [...new Map(all.toReversed().map((status) => [status.context, status])).values()]
  const isBad = latest.some(({ state }) => state === 'failure' || state === 'error')
  const isOpen = !latest.length || latest.some(({ state }) => state === 'pending')
  return page(
    call,
    latest.map((status) => showStatus(call.world, status)),
    (statuses) => ({
      state: isBad ? 'failure' : isOpen ? 'pending' : 'success',
      sha,
      total_count: latest.length,
      statuses,
    }),
  )
}
