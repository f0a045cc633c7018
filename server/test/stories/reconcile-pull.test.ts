import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
const at = `/v1/organizations/${service.organizationId}`

type Pull = { id: number; number: number; state: string; agent: { phase: string; attempts: number } | null }

async function makeRepo(name: string): Promise<number> {
  const source = makeRepository({ state: 'good\n' })
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, { name, import_from: source })
  await service.call('PUT', `${at}/repos/check-suite-settings?repo_id=${id}`, { settle_seconds: 0 })
  return id
}

const write = (content: string) => [{ write: { path: 'state', content } }, { answer: `It is ${content.trim()} now.` }]

async function startRun(repoId: number, ...states: string[]): Promise<number> {
  const metadata = { scripts: states.map((state) => write(`${state}\n`)) }
  const body = { prompt: 'Change the state', repo_id: repoId, agent_type: 'scripted', metadata }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}

const pullsOf = async (runId: number) =>
  (await service.call<{ items: Pull[] }>('GET', `${at}/prs?run_id=${runId}`)).items.toReversed()

async function untilAgent(runId: number, phase: string): Promise<Pull> {
  for (;;) {
    const pull = (await pullsOf(runId)).at(-1)
    if (pull?.agent?.phase === phase) return pull
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test('a check of its own that fails is fixed by the run that has opened the pull request', async () => {
  const repoId = await makeRepo('fixed')
  const check_commands = [{ name: 'state', command: 'cat state && grep -qx good state' }]
  await service.call('PATCH', `${at}/repos/${repoId}`, { check_commands })
  const runId = await startRun(repoId, 'bad', 'good\ngood')
  const pull = await untilAgent(runId, 'green')
  assert.deepEqual(pull.agent, { phase: 'green', attempts: 1, reason: null })
  const run = await service.untilEnded(runId)
  assert.deepEqual([run.status, run['turn']], ['completed', 2])

  const log = await service.log(runId)
  const types = log.map(({ message_type }) => message_type).filter((type) => type !== 'ACTION')
  assert.deepEqual(types, [
    'USER_MESSAGE',
    'INITIAL_PR_GENERATION',
    'FINAL_ANSWER',
    'DETECT_PR_ERRORS',
    'FIX_PR_ERRORS',
    'FINAL_ANSWER',
  ])
  const of = (type: string) => log.find(({ message_type }) => message_type === type)
  const checks = [{ name: 'state', conclusion: 'failure', verdict: 'fixable' }]
  assert.partialDeepStrictEqual(of('DETECT_PR_ERRORS')?.observation, { checks })
  const { commit } = of('FIX_PR_ERRORS')!.observation as { commit: string }
  assert.deepEqual(of('FIX_PR_ERRORS')?.observation, { attempt: 1, checks: ['state'], commit })
  assert.match(of('FIX_PR_ERRORS')?.thought ?? '', /^state: failure, fixable\./)
  assert.partialDeepStrictEqual(await service.call('GET', `${at}/prs/${pull.id}`), { head_commit: commit })
})

test('what a formatter pushes is gone on from, and where a person pushes the agent stops', async () => {
  const repoId = await makeRepo('formatted')
  await service.call('PATCH', `${at}/repos/${repoId}`, {
    check_commands: [{ name: 'state', command: 'cat state && grep -qx good state' }],
  })
  const runId = await startRun(repoId, 'good\nfirst', 'good\nsecond')
  await untilAgent(runId, 'green')
  const { branch } = await service.untilEnded(runId)
  const { git_url } = await service.call<{ git_url: string }>('GET', `${at}/repos/${repoId}`)
  const urlFor = (token: string) => Object.assign(new URL(git_url), { username: 'somebody', password: token }).href
  const clone = (): string => {
    const folder = makeRepository({})
    git(folder, 'fetch', '-q', urlFor(service.token), branch!)
    git(folder, 'reset', '-q', '--hard', 'FETCH_HEAD')
    return folder
  }
  const push = (token: string, state: string): string => {
    const folder = clone()
    writeFileSync(path.join(folder, 'state'), state)
    git(folder, 'commit', '-qam', 'Change the state')
    git(folder, 'push', '-q', urlFor(token), `HEAD:refs/heads/${branch}`)
    return git(folder, 'rev-parse', 'HEAD').trim()
  }
  const formatter = await service.call<{ id: number }>('POST', `${at}/members`, { full_name: 'Formatter' })
  const asked = { name: 'push', user_id: formatter.id }
  const { token } = await service.call<{ token: string }>('POST', `${at}/tokens`, asked)
  const theirs = push(token, 'formatted\n')
  await service.untilRun(runId, ({ turn, status }) => turn === 2 && status === 'completed')
  const pull = await untilAgent(runId, 'green')
  assert.deepEqual(pull.agent, { phase: 'green', attempts: 1, reason: null })
  // Fails unless what it has fixed holds what was pushed.
  git(clone(), 'merge-base', '--is-ancestor', theirs, 'HEAD')
  push(service.token, 'by hand\n')
  await untilAgent(runId, 'paused')
  assert.equal((await service.untilEnded(runId))['turn'], 2)
})

test('after a merge, new work opens a new pull request, and no work none', async () => {
  const repoId = await makeRepo('merged')
  const runId = await startRun(repoId, 'one', 'two', 'two')
  await service.untilEnded(runId)
  const [first] = await pullsOf(runId)
  await service.call('POST', `${at}/prs/${first?.id}/merge`, {})
  const follow = async (turn: number) => {
    await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: runId, prompt: 'Go on' })
    await service.untilRun(runId, ({ turn: now, status }) => now === turn && status === 'completed')
    return (await pullsOf(runId)).map(({ number, state }) => ({ number, state }))
  }
  const both = [
    { number: 1, state: 'closed' },
    { number: 2, state: 'open' },
  ]
  assert.deepEqual(await follow(2), both)
  assert.deepEqual(await follow(3), both)
  const opened = (await service.log(runId)).filter(({ message_type }) => message_type === 'INITIAL_PR_GENERATION')
  assert.deepEqual(
    opened.map(({ observation }) => (observation as Pull).number),
    [1, 2],
  )
})

test('a pull request whose base is gone is not opened, and the log says so', async () => {
  const repoId = await makeRepo('baseless')
  const repo = await service.call<{ git_url: string }>('GET', `${at}/repos/${repoId}`)
  const url = new URL(repo.git_url)
  url.username = 'ada'
  url.password = service.token
  const folder = makeRepository({ state: 'other\n' })
  git(folder, 'push', '-q', url.href, 'HEAD:refs/heads/side')
  const metadata = { scripts: [[{ answer: 'Nothing to do.' }], write('new\n')] }
  const body = { prompt: 'Look', repo_id: repoId, base_branch: 'side', agent_type: 'scripted', metadata }
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, body)
  await service.untilEnded(id)
  git(folder, 'push', '-q', url.href, ':refs/heads/side')
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Go on' })
  const run = await service.untilRun(
    id,
    ({ turn, status }) => turn === 2 && status !== 'queued' && status !== 'in_progress',
  )
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const refused = (await service.log(id)).filter(({ message_type }) => message_type === 'PR_CREATION_FAILED')
  assert.deepEqual(
    refused.map(({ observation }) => (observation as { code: string }).code),
    ['no_diff', 'base_gone'],
  )
})
