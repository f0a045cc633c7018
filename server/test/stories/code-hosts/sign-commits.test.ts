/** Commits that GitHub signs: what a run's branch holds then, whatever happens on the way. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import type { RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { startOnGitHub } from './start-on-github.ts'
import { startScripted } from './start-scripted.ts'

const db = await testDb()
const { github, app, repository, repo, service, at } = await startOnGitHub({
  databaseUrl: db.url,
  files: { 'a.txt': 'a\n' },
  role: 'api',
  defer: after,
})
repository.workflow = null
let worker = await service.startWorker()
await service.call('PATCH', `${at}/repos/${repo.id}`, { pull_settings: { sign_commits: true } })

const write = (path: string, content = `${path}\n`) => ({ write: { path, content } })
const done = { answer: 'Done.' }
const start = (...scripts: object[][]) => startScripted({ service, at, repoId: repo.id, scripts })

async function play(...scripts: object[][]): Promise<RunAnswer> {
  const run = await service.untilEnded(await start(...scripts))
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  return run
}

type Commit = { subject: string; author: string; isSigned: boolean; files: string[] }

/** What a branch holds beyond the base, oldest first. */
async function commitsOf(branch: unknown): Promise<Commit[]> {
  const ids = (await repository.git('rev-list', '--reverse', '--topo-order', `main..${String(branch)}`))
    .split('\n')
    .filter(Boolean)
  return Promise.all(
    ids.map(async (id) => ({
      subject: await repository.git('log', '-1', '--format=%s', id),
      author: await repository.git('log', '-1', '--format=%an', id),
      isSigned: (await repository.git('cat-file', 'commit', id)).includes('\ngpgsig '),
      files: (await repository.git('show', '--format=', '--name-only', id)).split('\n').filter(Boolean),
    })),
  )
}
const requestsToSign = () => github.requests.filter(({ path }) => path.endsWith('/git/commits')).length
const hidden = async () => (await repository.git('for-each-ref', 'refs/runwright')).split('\n').filter(Boolean)

test('all that a run commits is signed, its pull request stands on it, and the next turn goes on from there', async () => {
  const commit = 'echo b > b.txt; git add b.txt; git commit -qm "By the agent"'
  const look = { shell: 'git status --porcelain; git log --format=%s -1; git cat-file commit HEAD | grep -c ^gpgsig' }
  const run = await play([{ shell: commit }, write('c.txt'), done], [look, write('d.txt'), done])
  const first = await commitsOf(run.branch)
  const by = app.bot.login
  assert.deepEqual(
    first.map(({ author, isSigned, files }) => [author, isSigned, files]),
    [
      [by, true, ['b.txt']],
      [by, true, ['c.txt']],
    ],
  )
  assert.equal(first[0]?.subject, 'By the agent')
  const [pull] = [...repository.issues.values()].flatMap((issue) => issue.pull ?? [])
  assert.equal(pull?.head.sha, await repository.git('rev-parse', String(run.branch)))
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: run.id, prompt: 'Once more' })
  await service.untilRun(run.id, (now) => now['turn'] === 2 && /completed|failed/.test(now.status))
  const printed = (await service.log(run.id)).filter(({ tool_name }) => tool_name === 'shell').at(-1)?.tool_output
  assert.match(String(printed?.['output']), /^[^?M]*\n1\s*$/)
  const all = await commitsOf(run.branch)
  assert.deepEqual(all.slice(0, 2), first)
  assert.deepEqual(
    all.map(({ isSigned }) => isSigned),
    [true, true, true],
  )
  assert.deepEqual(all[2]?.files, ['d.txt'])
  assert.deepEqual(await hidden(), [])
})

test('what the agent has pushed by itself is replaced by what is signed; a commit in the name of another stays theirs', async () => {
  const own = 'echo e > e.txt; git add e.txt; git commit -qm "Pushed" && git push -q origin HEAD'
  const other = 'echo f > f.txt; git add f.txt; git commit -qm "Theirs" --author "Grace <grace@example.com>"'
  const merge =
    'git checkout -q -b side HEAD~1 && echo s > s.txt && git add s.txt && git commit -qm "Aside" && git checkout -q - && git merge -q --no-edit side'
  const run = await play([{ shell: own }, { shell: other }, { shell: merge }, write('g.txt'), done])
  const commits = await commitsOf(run.branch)
  const found = Object.fromEntries(commits.map(({ subject, author, isSigned }) => [subject, [author, isSigned]]))
  assert.partialDeepStrictEqual(found, {
    Pushed: [app.bot.login, true],
    Theirs: ['Grace', false],
    Aside: [app.bot.login, true],
  })
  assert.equal(commits.length, 5)
  assert.equal(await repository.git('rev-list', '--merges', '--count', `main..${String(run.branch)}`), '1')
})

test('a worker that is lost around the push leaves one signed commit, and no second', async () => {
  for (const point of ['push.intended', 'push.done', 'push.settled']) {
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    const crashing = await service.startWorker({ RUNWRIGHT_CRASH_AT: point })
    const ended = once(crashing, 'exit')
    const id = await start([write(`${point}.txt`), done])
    await ended
    worker = await service.startWorker()
    const run = await service.untilEnded(id)
    assert.equal(run.status, 'completed', point + JSON.stringify(run.error) + service.said())
    assert.deepEqual(
      (await commitsOf(run.branch)).map(({ isSigned, files }) => [isSigned, files]),
      [[true, [`${point}.txt`]]],
      point,
    )
    assert.equal(run.github_pull_requests.length, 1)
  }
  assert.deepEqual(await hidden(), [])
})

test('where the host fails while it signs, the work waits for it; where it does not sign, the work comes unsigned', async () => {
  const areSigned = async ({ branch }: RunAnswer) => (await commitsOf(branch)).map(({ isSigned }) => isSigned)
  const signing = /^POST .*\/git\/commits$/
  github.fail({ kind: 'status', status: 502 }, { on: signing })
  assert.deepEqual(await areSigned(await play([write('h.txt'), done])), [true])
  github.fail({ kind: 'status', status: 422 }, { on: signing })
  assert.deepEqual(await areSigned(await play([write('i.txt'), done])), [false])
  const silent = { shell: 'echo k > k.txt; git add k.txt; git commit -q --allow-empty-message -m ""' }
  assert.deepEqual(await areSigned(await play([silent, write('l.txt'), done])), [false, true])
  await service.call('PATCH', `${at}/repos/${repo.id}`, { pull_settings: { sign_commits: false } })
  const before = requestsToSign()
  assert.deepEqual(await areSigned(await play([write('j.txt'), done])), [false])
  assert.equal(requestsToSign(), before)
  assert.deepEqual(await hidden(), [])
})
