import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService, type RunAnswer, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { testFolder } from '#test/test-git.ts'
import { until } from '#test/test-sandboxes.ts'
import { startScripted } from './start-scripted.ts'
import { startOnGitHub } from './start-on-github.ts'

const list = 'list.txt'
const write = (line: string) => [{ shell: `echo '${line}' > ${list}` }, { answer: `The list says ${line}.` }]

/** Does what it is told to, and keeps what both sides say. */
const keepBoth = (verb: 'merge' | 'rebase') => {
  const goOn = verb === 'merge' ? 'git commit -qam "Take over main"' : 'GIT_EDITOR=true git rebase --continue'
  const resolve = `sed -i '/^[<=>]\\{7\\}/d' ${list} && git add ${list} && ${goOn}`
  return [{ shell: `git fetch -q origin main && (git ${verb} origin/main || (${resolve}))` }, { answer: 'Both hold.' }]
}
const cannotDecide = [{ answer: 'Which of the two prices counts?' }]

type Pull = {
  id: number
  number: number
  run_id: number
  head_commit: string
  agent: { phase: string; reason: string | null }
}

const pullOf = async (service: Service, at: string, runId: number): Promise<Pull> => {
  await service.untilRun(runId, (run: RunAnswer) => run.github_pull_requests.length > 0)
  const { items } = await service.call<{ items: Pull[] }>('GET', `${at}/prs?limit=100`)
  const pull = items.find(({ run_id }) => run_id === runId)
  assert.ok(pull)
  return pull
}

/** Twelve turns on two slots. */
const patience = { timeout: 600_000 }

test(
  'a base that moves under five pull requests: each can be merged again, or asks a clear question',
  patience,
  async () => {
    const db = await testDb()
    const { ada, repository, repo, service, at } = await startOnGitHub({
      databaseUrl: db.url,
      files: { [list]: 'nothing\n' },
      defer: after,
    })
    repository.workflow = null
    const scripts = (n: number) => [
      write(`price ${n}`),
      ...(n === 5 ? [cannotDecide] : [keepBoth('merge'), keepBoth('merge')]),
    ]
    const ids = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => startScripted({ service, at, repoId: repo.id, scripts: scripts(n) })),
    )
    const pulls = await Promise.all(ids.map((id) => pullOf(service, at, id)))
    await Promise.all(ids.map((id) => service.untilRun(id, ({ status }) => status === 'completed')))
    const there = (pull: Pull) =>
      ada.ask<{ mergeable: boolean | null; head: { sha: string } }>(
        'GET',
        `/repos/acme/price-list/pulls/${pull.number}`,
      )
    const untilMergeable = (some: Pull[]) =>
      until(
        async () => (await Promise.all(some.map(there))).every(({ mergeable }) => mergeable === true),
        'they can be merged',
        patience.timeout,
      )
    await untilMergeable(pulls)

    // What looks like a conflict and was there before is none of theirs.
    const files = { [list]: 'something\n', 'fixture.txt': '<<<<<<< ours\n' }
    await ada.push(repository, { branch: 'main', files })
    const able = pulls.slice(0, 4)
    await untilMergeable(able)
    const last = () => pullOf(service, at, ids[4]!)
    await until(async () => (await last()).agent.phase === 'gave_up', 'the fifth asks')
    assert.match((await last()).agent.reason ?? '', /conflicts with its base branch: the agent has changed nothing/)
    const comments = repository.comments.filter(({ number }) => number === pulls[4]?.number).map(({ body }) => body)
    assert.equal(comments.length, 1)
    assert.match(comments[0] ?? '', /conflicts with its base branch, .* A person is needed\..*\n.*\/runs\//s)

    const [first] = able as [Pull]
    const { head } = await there(first)
    await ada.ask('PUT', `/repos/acme/price-list/pulls/${first.number}/merge`, { sha: head.sha })
    await untilMergeable(able.slice(1))
    assert.equal(await repository.git('show', `main:${list}`), 'price 1\nsomething')
    for (const id of ids.slice(1, 4)) {
      const run = await service.untilRun(id, ({ status }) => status === 'completed')
      assert.equal(run['turn'], 3)
      const log = await service.log(id)
      const detected = log.filter(({ message_type }) => message_type === 'DETECT_PR_ERRORS')
      assert.partialDeepStrictEqual(
        detected.map(({ observation }) => observation),
        [{ conflicts_with: 'main' }, { conflicts_with: 'main' }],
      )
    }
  },
)

test('the same on the built-in host by a rebase, which keeps one line of history', async () => {
  const db = await testDb()
  const service = await startService({
    databaseUrl: db.url,
    env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() },
    defer: after,
  })
  const at = `/v1/organizations/${service.organizationId}`
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, {
    name: 'list',
    import_from: makeRepository({ [list]: 'nothing\n' }),
  })
  await service.call('PATCH', `${at}/repos/${repo.id}`, { pull_settings: { update_branch: 'rebase' } })
  const runId = await startScripted({ service, at, repoId: repo.id, scripts: [write('price 1'), keepBoth('rebase')] })
  const { head_commit: before } = await pullOf(service, at, runId)
  await service.untilRun(runId, ({ status }) => status === 'completed')

  const clone = path.join(await testFolder(), 'clone')
  git(
    '/',
    'clone',
    '-q',
    Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token }).href,
    clone,
  )
  writeFileSync(path.join(clone, list), 'something\n')
  git(clone, 'commit', '-qam', 'Move')
  git(clone, 'push', '-q')
  await service.untilRun(runId, (run) => run['turn'] === 2 && run.status === 'completed')
  const { id, head_commit: head, agent } = await pullOf(service, at, runId)
  assert.notEqual(head, before)
  assert.equal(agent.reason, null)
  await service.call('POST', `${at}/prs/${id}/merge`, { method: 'rebase', expected_head: head })
  git(clone, 'pull', '-q')
  assert.equal(readFileSync(path.join(clone, list), 'utf8'), 'something\nprice 1\n')
  assert.equal(git(clone, 'log', '--merges', '--format=%H'), '')
})

test('a turn that leaves conflict markers fails before anything is pushed, and the comment says where', async () => {
  const db = await testDb()
  const { ada, repository, repo, service, at } = await startOnGitHub({
    databaseUrl: db.url,
    files: { [list]: 'nothing\n' },
    defer: after,
  })
  repository.workflow = null
  const careless = [
    { shell: `git fetch -q origin main; git merge origin/main; git add -A; git commit -qm Merge` },
    { answer: 'Merged.' },
  ]
  const runId = await startScripted({ service, at, repoId: repo.id, scripts: [write('price 1'), careless] })
  const { number, head_commit: head } = await pullOf(service, at, runId)
  await service.untilRun(runId, ({ status }) => status === 'completed')
  await ada.push(repository, { branch: 'main', files: { [list]: 'something\n' } })
  const run = await service.untilRun(runId, ({ status }) => status === 'failed')
  assert.partialDeepStrictEqual(run.error, { code: 'conflicts_left' })
  const commentsThere = () => repository.comments.filter((comment) => comment.number === number).map(({ body }) => body)
  await until(async () => commentsThere().length > 0, 'it is told at the pull request')
  assert.match(commentsThere().join(), /Conflict markers are left in list\.txt:1, list\.txt:3, list\.txt:5/)
  const there = await ada.ask<{ head: { sha: string } }>('GET', `/repos/acme/price-list/pulls/${number}`)
  assert.equal(there.head.sha, head)
})
