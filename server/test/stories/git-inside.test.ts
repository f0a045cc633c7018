import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService, type LogAnswer, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
const at = `/v1/organizations/${service.organizationId}`

type Place = { repoId: number; name: string; clone: string }

let places = 0
/** A repository with two branches, and a clone of it as a person has one. */
async function makePlace(): Promise<Place> {
  const source = makeRepository({ 'a.txt': 'a\n' })
  git(source, 'branch', 'other')
  const name = `inside-${++places}`
  const body = { name, import_from: source }
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, body)
  // A branch that conflicts with its base is where an agent is to go on; here it is to do what the test says, and nothing else.
  await service.call('PATCH', `${at}/repos/${repo.id}`, { pull_settings: { update_branch: 'off' } })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token })
  git(folder, 'clone', '-q', url.href, name)
  return { repoId: repo.id, name, clone: path.join(folder, name) }
}

async function play({ repoId }: Place, ...turns: string[][]): Promise<number> {
  const scripts = turns.map((commands) => [...commands.map((shell) => ({ shell })), { answer: 'Done.' }])
  const body = { prompt: 'Work', repo_id: repoId, agent_type: 'scripted', metadata: { scripts } }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}

async function completed(id: number, turn = 1): Promise<RunAnswer> {
  const run = await service.untilRun(id, (seen) => seen['turn'] === turn && /completed|failed/.test(seen.status))
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  return run
}

/** What the commands of a run printed, in order. */
const printed = (log: LogAnswer[]) =>
  log.filter(({ tool_name }) => tool_name === 'shell').map(({ tool_output }) => String(tool_output?.['output']))
const pushes = (log: LogAnswer[]) => log.filter(({ tool_name }) => tool_name === 'git_push')
const tokenPattern = /rw_[A-Za-z0-9_]{20,}/

/** The commits of a branch at the host, newest first. */
function commitsOf({ clone }: Place, branch: string | null): string[] {
  git(clone, 'fetch', '-q', '--prune', 'origin')
  return git(clone, 'log', '--format=%s', `origin/${branch}`).trim().split('\n')
}

test('an agent fetches and pushes its own branch, and its turn goes on from there', async () => {
  const place = await makePlace()
  const id = await play(place, [
    'git remote -v; git config --list --show-origin',
    'git fetch origin && git branch -r',
    'echo one > a.txt && git commit -qam one && git push 2>&1',
    'echo two > a.txt && git commit -qam two && git push origin HEAD 2>&1',
    'echo three > b.txt',
  ])
  const run = await completed(id)
  const log = await service.log(id)
  const [config, fetched, first] = printed(log)
  assert.match(config ?? '', new RegExp(`http://127\\.0\\.0\\.1:3128/git/1/${place.name}\\.git \\(push\\)`))
  assert.doesNotMatch(config ?? '', tokenPattern)
  assert.match(fetched ?? '', /origin\/main\n\s+origin\/other/)
  assert.match(first ?? '', /\[new branch\]/)
  assert.deepEqual(
    pushes(log).map(({ tool_input, tool_output }) => [tool_input?.['branch'], tool_output]),
    [1, 2].map(() => [run.branch, { pushed: true }]),
  )
  assert.equal(commitsOf(place, run.branch).slice(1).join(), 'two,one,Begin')
  assert.equal(run.github_pull_requests.length, 1)
})

test('whatever else an agent wants to move is refused, and its git says why', async () => {
  const place = await makePlace()
  const { name: foreign } = await makePlace()
  const id = await play(place, [
    'echo x > a.txt && git commit -qam work && git tag v1',
    'git push origin HEAD:main 2>&1',
    'git push origin HEAD:refs/heads/mine 2>&1',
    'git push origin v1 2>&1',
    'git push origin HEAD:refs/pull/1/head HEAD 2>&1',
    'git push origin HEAD && git push origin --delete $(git branch --show-current) 2>&1',
    `git ls-remote http://127.0.0.1:3128/git/1/${foreign}.git 2>&1`,
    `git ls-remote http://127.0.0.1:3128/git/2/${place.name}.git 2>&1`,
    'git fetch origin refs/pull/*:refs/pull/* refs/tags/*:refs/tags/* && git for-each-ref refs/pull refs/tags',
    `blob=$(git hash-object -w a.txt); inner=$(printf '100644 blob %s\\tconfig\\n' $blob | git mktree)
     outer=$(printf '040000 tree %s\\t.git\\n' $inner | git mktree)
     git push origin $(git commit-tree $outer -p HEAD -m evil):refs/heads/$(git branch --show-current) 2>&1`,
  ])
  const run = await completed(id)
  const log = await service.log(id)
  const text = printed(log)
  const own = `this run may only push to ${run.branch}`
  const reasons = [own, own, own, own, 'a run may not delete its branch', 'not found', 'not found', 'v1', 'hasDotgit']
  for (const [index, reason] of reasons.entries()) assert.ok(text[index + 1]?.includes(reason), text[index + 1])
  assert.match(text[4] ?? '', /nothing is pushed, since another ref was refused/)
  assert.equal(pushes(log).length, 1)
  assert.deepEqual(commitsOf(place, 'main'), ['Begin'])
  assert.deepEqual(commitsOf(place, run.branch), ['work', 'Begin'])
  assert.equal(git(place.clone, 'ls-remote', 'origin', 'refs/tags/*', 'refs/heads/mine'), '')
})

test('an agent rewrites what it has pushed as it likes, and the branch ends as its work tree does', async () => {
  const place = await makePlace()
  const id = await play(
    place,
    [
      'echo 1 > a.txt && git commit -qam one && git push -q origin HEAD && git rev-parse HEAD',
      'git commit -q --amend -m amended && git push -q --force origin HEAD && git log --format=%s origin/$(git branch --show-current)',
      'echo 2 > b.txt && git add b.txt && git commit -qm two && git push -q origin HEAD',
      'git rebase -q --root --exec "git commit -q --amend --no-edit --reset-author" && git push -q -f origin HEAD',
      // And without another push: what is pushed for it at the end of the turn goes on from there.
      'git reset -q --hard $(git log --format=%H --grep=amended)',
    ],
    ['git reset -q --hard origin/main && git push -q -f origin HEAD 2>&1', 'echo 3 > c.txt'],
  )
  const { branch } = await completed(id)
  assert.match(printed(await service.log(id))[1] ?? '', /^amended\n/)
  assert.deepEqual(commitsOf(place, branch), ['amended', 'Begin'])
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Anew' })
  await completed(id, 2)
  assert.equal(commitsOf(place, branch).length, 2)
  assert.equal(git(place.clone, 'show', '--stat', '--format=', `origin/${branch}`).split('|')[0]?.trim(), 'c.txt')
})

test('what others have pushed to its branch an agent cannot drop, whether it pushes itself or its turn ends', async () => {
  const place = await makePlace()
  const id = await play(
    place,
    ['echo 1 > a.txt && git commit -qam one && git push -q origin HEAD'],
    [
      'git log --format=%s -1',
      'git reset -q --hard HEAD^ && echo 2 > a.txt && git commit -qam two; git push --force origin HEAD 2>&1',
      'git fetch -q && git merge -q -X ours -m both origin/$(git branch --show-current) && git push origin HEAD 2>&1',
      'git reset -q --hard HEAD^ && git push --force origin HEAD 2>&1',
      'git reset -q --hard HEAD@{1}',
    ],
    ['git reset -q --hard origin/main; echo 4 > d.txt'],
  )
  const { branch } = await completed(id)
  const theirs = path.join(place.clone, 'theirs.txt')
  git(place.clone, 'fetch', '-q')
  git(place.clone, 'checkout', '-q', '-b', 'ours', `origin/${branch}`)
  writeFileSync(theirs, 'theirs\n')
  git(place.clone, 'add', '-A')
  git(place.clone, 'commit', '-q', '-m', 'theirs')
  git(place.clone, 'push', '-q', 'origin', `HEAD:${branch}`)
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Go on' })
  await completed(id, 2)
  const [, last, dropped, merged, again] = printed(await service.log(id))
  assert.match(last ?? '', /^theirs/)
  for (const refused of [dropped, again]) assert.match(refused ?? '', /holds work of others, up to [0-9a-f]{40}/)
  assert.match(merged ?? '', new RegExp(`HEAD -> ${branch}`))
  assert.equal(commitsOf(place, branch)[0], 'both')
  assert.ok(commitsOf(place, branch).includes('theirs'))

  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Drop it' })
  const run = await service.untilRun(id, ({ turn, status }) => turn === 3 && /completed|failed/.test(status))
  assert.equal(run.error?.code, 'push_rejected', JSON.stringify(run.error))
  assert.equal(commitsOf(place, branch)[0], 'both')
})

test('a run without a repository pushes to its own, which nobody else sees', async () => {
  const scripts = [[{ shell: 'echo 1 > a.txt && git add a.txt && git commit -qm one && git push origin HEAD 2>&1' }]]
  const body = { prompt: 'Work', agent_type: 'scripted', metadata: { scripts } }
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, body)
  await completed(id)
  const log = await service.log(id)
  assert.match(printed(log)[0] ?? '', new RegExp(`To http://127\\.0\\.0\\.1:3128/git/1/runs/${id}\\.git\n.*new branch`))
  assert.equal(pushes(log).length, 1)
  assert.match(await (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text(), /\+1$/m)
})
