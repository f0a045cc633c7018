import { showCheckRun, showSuite } from './show.ts'
import {
  type Account,
  fullName,
  inBackground,
  nextId,
  type App,
  type CheckRun,
  type Job,
  type Repository,
  type Suite,
  type World,
} from './world.ts'

/** Actions: has the repository's jobs run at a commit, behind the answer of whatever brought it there. */
export function runWorkflow(
  world: World,
  repository: Repository,
  at: { sha: string; branch: string; attempt: number },
): void {
  const { workflow } = repository
  if (!workflow) return
  const suite = suiteOf(world, repository, { app: world.actions, ...at })
  const read = async (path: string) => {
    const { exitCode, stdout } = await repository.tryGit('show', `${at.sha}:${path}`)
    return exitCode === 0 ? stdout : null
  }
  const work = async () => {
    const jobs = await workflow({ ...at, read })
    for (const job of jobs) runJob(world, repository, suite, job, at)
    // Where no workflow is for this, GitHub has no suite of them.
    if (jobs.length === 0) repository.suites.splice(repository.suites.indexOf(suite), 1)
    tellSuite(world, repository, suite)
  }
  inBackground(world, work())
}

/** One job from its beginning to its end. An earlier one of the name is begun anew. */
function runJob(
  world: World,
  repository: Repository,
  suite: Suite,
  job: Job,
  at: { branch: string; attempt: number },
): void {
  const earlier = repository.checkRuns.find((run) => run.suiteId === suite.id && run.name === job.name)
  const run = earlier ?? makeCheckRun(world, repository, { suite, name: job.name })
  Object.assign(run, { status: 'in_progress', conclusion: null, completedAt: null, startedAt: new Date() })
  run.job = { log: job.log, ...at }
  tellCheckRun(world, repository, run, 'created')
  Object.assign(run, { status: 'completed', conclusion: job.conclusion, completedAt: new Date() })
  tellCheckRun(world, repository, run, 'completed')
}

export function makeCheckRun(
  world: World,
  repository: Repository,
  { suite, name }: { suite: Suite; name: string },
): CheckRun {
  const id = nextId(world)
  const run: CheckRun = {
    id,
    name,
    sha: suite.sha,
    app: suite.app,
    suiteId: suite.id,
    status: 'queued',
    conclusion: null,
    startedAt: new Date(),
    completedAt: null,
    externalId: '',
    detailsUrl: `${world.url}/${fullName(repository)}/runs/${id}`,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
    job: null,
  }
  repository.checkRuns.push(run)
  return run
}

/** Of one App and one commit. */
export function suiteOf(
  world: World,
  repository: Repository,
  { app, sha, branch }: { app: App; sha: string; branch: string | null },
): Suite {
  const known = repository.suites.find((suite) => suite.app === app && suite.sha === sha)
  if (known) return known
  const suite = { id: nextId(world), app, sha, branch, createdAt: new Date() }
  repository.suites.push(suite)
  return suite
}

export function tellCheckRun(
  world: World,
  repository: Repository,
  run: CheckRun,
  action: string,
  { by = run.app.bot, payload = {} }: { by?: Account; payload?: Record<string, unknown> } = {},
): void {
  const check_run = showCheckRun(world, repository, run)
  world.tell({ event: 'check_run', action, repository, by, payload: { check_run, ...payload } })
}

/** What people do at a check in their browser: run it again, or all of its suite, or press one of its buttons. */
export function pressButton(
  world: World,
  repository: Repository,
  { run, by, button }: { run: CheckRun; by: Account; button: string },
): void {
  if (button !== 'rerun' && button !== 'rerun_all') {
    if (!run.actions.includes(button)) throw new Error(`The check has no button ${button}`)
    const payload = { requested_action: { identifier: button } }
    return tellCheckRun(world, repository, run, 'requested_action', { by, payload })
  }
  Object.assign(run, { status: 'queued', conclusion: null, completedAt: null })
  if (button === 'rerun') return tellCheckRun(world, repository, run, 'rerequested', { by })
  const suite = repository.suites.find((each) => each.id === run.suiteId)
  if (!suite) return
  const check_suite = showSuite(world, repository, suite)
  world.tell({ event: 'check_suite', action: 'rerequested', repository, by, payload: { check_suite } })
}

/** Says that a suite is done, once all of its checks are. */
export function tellSuite(world: World, repository: Repository, suite: Suite): void {
  const check_suite = showSuite(world, repository, suite)
  if (check_suite['status'] !== 'completed') return
  world.tell({ event: 'check_suite', action: 'completed', repository, by: suite.app.bot, payload: { check_suite } })
}
