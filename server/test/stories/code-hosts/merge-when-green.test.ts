import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { after, describe, test } from 'node:test'
import { hostFaults, openFaultyHost } from '#test/faulty-host.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { priceList } from './price-list.ts'
import { startScripted } from './start-scripted.ts'
import { startOnGitHub, type StartOnGitHub } from './start-on-github.ts'

const patienceMs = 120_000

type Pull = { id: number; number: number; state: string; agent: { phase: string } | null }

type PlayMerge = Pick<StartOnGitHub, 'openWay'> & { defer: NonNullable<StartOnGitHub['defer']> }

/** A pull request whose base moves while its checks run, at a host that merges by a queue what holds all of its base. */
async function playMerge({ openWay, defer }: PlayMerge) {
  const db = await testDb()
  const { github, ada, repository, repo, service, at } = await startOnGitHub({
    databaseUrl: db.url,
    files: priceList,
    defer,
    ...(openWay && { openWay }),
  })
  const settings = { merge_when_green: 'squash', delete_branch: true }
  await service.call('PATCH', `${at}/repos/${repo.id}`, { pull_settings: settings })
  // Its checks begin, and the base moves before they end.
  let isMoved = false
  const { workflow } = repository
  repository.workflow = async (job) => {
    if (!isMoved && job.branch !== 'main') {
      isMoved = true
      // Longer than is waited where a commit has no checks at all.
      await pause(3_000)
      await ada.push(repository, { branch: 'main', files: { 'other.txt': 'something\n' } })
    }
    return workflow!(job)
  }
  repository.rules.add('up_to_date').add('merge_queue')
  const scripts = [[{ shell: 'echo done > done.txt' }, { answer: 'Done.' }]]
  const runId = await startScripted({ service, at, repoId: repo.id, scripts })
  const run = await service.untilRun(runId, ({ github_pull_requests: pulls }) => pulls.length > 0)
  const pull = async () => (await service.call<{ items: Pull[] }>('GET', `${at}/prs`)).items[0]!
  await until(async () => (await pull()).agent?.phase === 'merged', 'it is merged', patienceMs)
  await until(
    async () => (await repository.tryGit('rev-parse', '-q', '--verify', `refs/heads/${run.branch}`)).exitCode !== 0,
    'the branch is gone',
    patienceMs,
  )
  assert.equal(await repository.git('show', 'main:done.txt'), 'done')
  assert.equal(await repository.git('show', 'main:other.txt'), 'something')
  assert.equal((await service.untilRun(runId, ({ status }) => status === 'completed'))['turn'], 1)
  return github.requests.filter(({ path }) => path.endsWith('/graphql') || path.endsWith('/merge'))
}

test('what is green is brought up to date, merged by the queue of its branch, and its branch deleted', async () => {
  const asked = await playMerge({ defer: after })
  assert.deepEqual(
    asked.map(({ method, path, status }) => `${method} ${path.split('/').at(-1)} ${status}`),
    ['POST graphql 200', 'PUT merge 405', 'POST graphql 200'],
  )
})

// Most of the time each of them waits.
describe('the same where every other try of each change there fails', { concurrency: true }, () => {
  for (const fault of ['badGateway', 'lostAnswer'] as const)
    test(fault, { timeout: 300_000 }, async (t) => {
      const failed: string[] = []
      const openWay = async (url: string) => {
        const way = await openFaultyHost(url)
        way.decide = (call, count) => {
          if (!/graphql|\/merge$|git-receive-pack/.test(call) || count % 2 === 0) return undefined
          failed.push(call)
          return hostFaults[fault]
        }
        return way
      }
      await playMerge({ openWay, defer: (cleanUp) => t.after(cleanUp) })
      assert.ok(failed.length >= 4, failed.join('\n'))
    })
})

test('what a person has pushed to is left to people', async () => {
  const db = await testDb()
  const { github, ada, repository, repo, service, at } = await startOnGitHub({
    databaseUrl: db.url,
    files: priceList,
    defer: after,
  })
  repository.workflow = null
  await service.call('PATCH', `${at}/repos/${repo.id}`, { pull_settings: { merge_when_green: 'merge' } })
  // Somebody is quicker than the first look.
  github.fail(
    {
      kind: 'meanwhile',
      happens: async () =>
        void (await ada.push(repository, { branch: await branchOf(), files: { 'mine.txt': 'mine\n' } })),
    },
    { on: /^GET .*\/check-runs/ },
  )
  const branchOf = async () =>
    (await repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/agent')).split('\n')[0]!
  const scripts = [[{ shell: 'echo done > done.txt' }, { answer: 'Done.' }]]
  const runId = await startScripted({ service, at, repoId: repo.id, scripts })
  await service.untilRun(runId, ({ github_pull_requests: pulls }) => pulls.length > 0)
  const pull = async () => (await service.call<{ items: Pull[] }>('GET', `${at}/prs`)).items[0]!
  await until(async () => (await pull()).agent?.phase === 'paused', 'the agent has seen the push')
  const { number } = await pull()
  await github.settled()
  assert.equal((await ada.ask<{ merged: boolean }>('GET', `/repos/acme/price-list/pulls/${number}`)).merged, false)
})

test('what a reviewer wants changed is merged once they approve it', async () => {
  const db = await testDb()
  const { github, ada, repository, repo, service, at } = await startOnGitHub({
    databaseUrl: db.url,
    files: priceList,
    defer: after,
  })
  repository.workflow = null
  await service.call('PATCH', `${at}/repos/${repo.id}`, { pull_settings: { merge_when_green: 'merge' } })
  const review = async (event: string) =>
    ada.ask('POST', `/repos/acme/price-list/pulls/${(await pull()).number}/reviews`, { event, body: 'Really?' })
  // It comes as the service is about to merge.
  github.fail({ kind: 'meanwhile', happens: () => review('REQUEST_CHANGES') }, { on: /^GET .*\/reviews$/ })
  const scripts = [[{ shell: 'echo done > done.txt' }, { answer: 'Done.' }], [{ answer: 'Really.' }]]
  const runId = await startScripted({ service, at, repoId: repo.id, scripts })
  const pull = async () => (await service.call<{ items: Pull[] }>('GET', `${at}/prs`)).items[0]!
  await service.untilRun(runId, (run) => run['turn'] === 2 && run.status === 'completed')
  const looks = () => github.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/reviews')).length
  const before = looks()
  await until(async () => looks() > before, 'it is looked at again', patienceMs)
  await github.settled()
  assert.equal((await pull()).state, 'open')
  await review('APPROVE')
  await until(async () => (await pull()).agent?.phase === 'merged', 'it is merged', patienceMs)
})
