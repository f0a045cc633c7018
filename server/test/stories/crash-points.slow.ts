import assert from 'node:assert/strict'
import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { crashPoints, type CrashPoint } from '#base/crash-points.ts'
import { casesOfCommit } from '#test/cases-of-commit.ts'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { byAnswers } from '#test/play-agent.ts'
import { startProcess, startService, stopProcess, type RunAnswer, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

/** As many points at once, each lane over a database of its own. */
const LANES = 3

const LONGEST_MS = 900_000
/** Three lanes of four processes each start workers all the while. */
const PATIENCE_MS = 180_000

const folder = '.runwright/artifacts'
const call = (name: string, input: object): ScriptedReply => ({ calls: [{ name, input: input as never }] })
/** Passes every point: a plan, a command that leaves a mark and pushes, a question, a file, and an artifact that is kept beside one that is not. */
const replies: ScriptedReply[] = [
  call('plan', { steps: [{ text: 'Do it', status: 'pending' }] }),
  call('shell', {
    command: `echo mark >> marks.txt; mkdir -p ${folder}; echo all is well > ${folder}/report.txt; touch ${folder}/.hidden; git push -q origin HEAD`,
  }),
  call('ask_user', { question: 'Shall I?' }),
  call('write', { path: 'b.txt', content: 'b\n' }),
  call('shell', { command: 'cat b.txt' }),
  call('finish', { summary: 'Done.', checks: [{ command: 'cat b.txt' }] }),
]
const model = await startModelServer(byAnswers(replies))
after(() => model.close())

const started: ChildProcess[] = []
after(() => Promise.all(started.map(stopProcess)))
function startWorker(environment: Record<string, string>): { child: ChildProcess; ready: Promise<string> } {
  const worker = startProcess('worker', { env: environment, onSaid: () => {} })
  // One that ends as it was told to is not ready, perhaps.
  worker.ready.catch(() => {})
  started.push(worker.child)
  return worker
}

/** The plan is the first tool, and leaves no mark; the command is the second. */
const nth = (point: CrashPoint) => (point.startsWith('tool.') || point.startsWith('model.') ? 2 : 1)

type Lane = {
  service: Service
  repoId: number
  environment: Record<string, string>
  runs: { point: CrashPoint; run: RunAnswer }[]
}

async function openLane(): Promise<Lane> {
  const db = await testDb()
  const models = { OPENAI_BASE_URL: `${model.url}/v1`, RUNWRIGHT_MODEL: 'scripted-1' }
  const service = await startService({
    databaseUrl: db.url,
    role: 'api',
    env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), ...models },
  })
  const repo = await service.call<{ id: number }>('POST', '/v1/organizations/1/repos', {
    name: 'crashed',
    import_from: makeRepository({ 'a.txt': 'a\n', '.runwright.yml': 'setup: mkdir prepared && touch prepared/it\n' }),
  })
  const environment = {
    DATABASE_URL: db.url,
    RUNWRIGHT_DATA_DIR: service.dataDir,
    RUNWRIGHT_ADMIN_TOKEN: service.token,
    ...models,
  }
  return { service, repoId: repo.id, environment, runs: [] }
}

/** One worker does the run up to the point and is gone; another does the rest. */
async function crashAtPoint(lane: Lane, point: CrashPoint): Promise<void> {
  const { service, repoId, environment } = lane
  const crashing = startWorker({ ...environment, RUNWRIGHT_CRASH_AT: `${point}:${nth(point)}` })
  const ended = once(crashing.child, 'exit')
  const { id } = await service.call<RunAnswer>('POST', '/v1/organizations/1/agent/run', {
    prompt: `Pass ${point}.`,
    repo_id: repoId,
    agent_type: 'builtin',
  })
  const answered = answerWhenAsked(service, id)
  const [code] = await Promise.race([ended, delay(PATIENCE_MS, ['late'], { ref: false })])
  assert.equal(code, 137, `${point} was not reached: ${JSON.stringify(await service.untilRun(id, () => true))}`)
  const other = startWorker(environment)
  const run = await answered
  await other.ready
  await stopProcess(other.child)
  lane.runs.push({ point, run })
}

async function answerWhenAsked(service: Service, id: number): Promise<RunAnswer> {
  const at = `/v1/organizations/1/agent/run/${id}`
  const run = await service.untilRun(id, ({ status }) => status !== 'queued' && status !== 'in_progress', PATIENCE_MS)
  if (run.status !== 'waiting_for_user') return run
  await service.call('POST', `${at}/questions/1/answer`, { answer: 'Yes' })
  return service.untilEnded(id, PATIENCE_MS)
}

async function checkRun({ service }: Lane, { point, run }: { point: CrashPoint; run: RunAnswer }): Promise<void> {
  assert.equal(run.status, 'completed', `${point}: ${JSON.stringify(run.error)}`)
  assert.match(run.result ?? '', /^Done\.\n\nChecks:\n- `cat b\.txt`: passed/, point)
  assert.equal(run.github_pull_requests.length, 1, `${point}: pull requests of the run`)
  const log = await service.log(run.id)
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, index) => index + 1),
    `${point}: numbers of the log`,
  )
  const wasInterrupted = log.some(({ tool_output }) => tool_output?.['interrupted'])
  // A command that was interrupted may have come to its push, and that to its end.
  const isSure = (type: string) => type !== 'setup' && (!wasInterrupted || type !== 'git_push')
  assert.ok(
    log.some(({ tool_name }) => tool_name === 'setup'),
    `${point}: the work tree was prepared`,
  )
  const types = log.map(({ message_type, tool_name }) => tool_name ?? message_type).filter(isSure)
  const expected = [
    'USER_MESSAGE',
    'PLAN_EVALUATION',
    'git_push',
    'shell',
    'ask_user',
    'write',
    'shell',
    'verify',
    'INITIAL_PR_GENERATION',
    'ERROR',
    'FINAL_ANSWER',
  ].filter(isSure)
  // A command that was not begun, or whose end was not seen, is not done again; then there may be nothing to keep.
  const without = expected.filter((type) => type !== 'ERROR')
  assert.ok(
    [expected, ...(wasInterrupted ? [without] : [])].some((some) => some.join() === types.join()),
    `${point}: ${types}`,
  )
  const asked = model.requests.filter(({ text }) => text.includes(`Pass ${point}.`)).length
  assert.ok(asked >= replies.length && asked <= replies.length + 1, `${point}: the model was asked ${asked} times`)
}

/** At the git host: one branch a run, with one commit, and one pull request. */
async function checkHost({ service, repoId, runs }: Lane): Promise<void> {
  const { git_url } = await service.call<{ git_url: string }>('GET', `/v1/organizations/1/repos/${repoId}`)
  const copy = mkdtempSync(path.join(os.tmpdir(), 'runwright-copy-'))
  const git = (...words: string[]) => execFileSync('git', ['-C', copy, ...words], { encoding: 'utf8' }).trim()
  const address = new URL(git_url)
  Object.assign(address, { username: 'x', password: service.token, host: new URL(service.url).host })
  git('clone', '-q', '--mirror', address.href, '.')
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
  assert.deepEqual(branches.sort(), ['main', ...runs.map(({ run }) => run.branch ?? '')].sort())
  for (const { point, run } of runs) {
    assert.equal(git('rev-list', '--count', `main..${run.branch}`), '1', `${point}: commits`)
    const marks = git('ls-tree', '--name-only', `${run.branch}`).includes('marks.txt')
      ? git('show', `${run.branch}:marks.txt`)
      : ''
    assert.ok(
      marks === 'mark' || (marks === '' && point.startsWith('tool.')),
      `${point}: the command was done ${marks.split('\n').length} times`,
    )
  }
  const numbers = runs.flatMap(({ run }) => run.github_pull_requests.map(({ number }) => number))
  assert.deepEqual(
    numbers.sort((one, other) => one - other),
    runs.map((_, index) => index + 1),
    'numbers of pull requests at the host',
  )
  await rm(copy, { recursive: true })
}

test(
  'a worker that ends at any of the named points loses nothing and repeats nothing outside',
  { timeout: LONGEST_MS },
  async (t) => {
    assert.ok(crashPoints.length >= 40)
    const points = casesOfCommit(crashPoints, 4)
    const waiting = [...points]
    const lanes = await Promise.all(Array.from({ length: LANES }, openLane))
    const work = async (lane: Lane) => {
      for (let point = waiting.shift(); point; point = waiting.shift()) await crashAtPoint(lane, point)
    }
    await Promise.all(lanes.map(work))
    for (const lane of lanes) {
      for (const run of lane.runs) await checkRun(lane, run)
      await checkHost(lane)
    }
    const reached = lanes.flatMap(({ runs }) => runs.map(({ point }) => point))
    assert.deepEqual(reached.sort(), points.toSorted())
    const repeated = model.requests.length - reached.length * replies.length
    t.diagnostic(`${reached.length} points; ${repeated} model calls were repeated in all`)
  },
)
