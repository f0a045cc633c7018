import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
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
