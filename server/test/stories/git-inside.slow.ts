import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService, stopProcess } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), RUNWRIGHT_SECRET_KEY: 'the same secret key in every process' },
})
const at = `/v1/organizations/${service.organizationId}`
const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-elsewhere-'))
  chmodSync(folder, 0o711)
  folders.push(folder)
  return folder
}

let places = 0
async function makePlace(): Promise<{ repoId: number; clone: string }> {
  const body = { name: `elsewhere-${++places}`, import_from: makeRepository({ 'a.txt': 'a\n' }) }
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, body)
  const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token })
  const clone = path.join(makeFolder(), 'clone')
  git('/', 'clone', '-q', url.href, clone)
  return { repoId: repo.id, clone }
}

async function play(repoId: number, commands: string[]): Promise<number> {
  const script = [...commands.map((shell) => ({ shell })), { answer: 'Done.' }]
  const body = { prompt: 'Work', repo_id: repoId, agent_type: 'scripted', metadata: { script } }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}

async function untilPushed(id: number, times = 1): Promise<void> {
  const until = Date.now() + 60_000
  for (;;) {
    const log = await service.log(id)
    if (log.filter(({ tool_name }) => tool_name === 'git_push').length >= times) return
    assert.ok(Date.now() < until, JSON.stringify(log) + service.said())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function completed(id: number) {
  const run = await service.untilEnded(id, 120_000)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  return run
}

function commitsOf(clone: string, branch: string | null): string[] {
  git(clone, 'fetch', '-q', '--prune', 'origin')
  return git(clone, 'log', '--format=%s', `origin/${branch}`).trim().split('\n')
}

test('on another machine than the host an agent fetches what is new there, and pushes and rewrites its branch', async () => {
  const { child } = await service.startElsewhere()
  const { repoId, clone } = await makePlace()
  const id = await play(repoId, [
    'echo 1 > a.txt && git commit -qam one && git push -q origin HEAD',
    'until git fetch -q origin && git rev-parse -q --verify origin/late; do sleep 0.1; done; git log -1 --format=%s origin/late',
    'git push origin HEAD:main 2>&1',
    'git commit -q --amend -m amended && git push -q --force origin HEAD && head -c 30000000 /dev/urandom > noise',
    'git add noise && git commit -qm noise && git push -q origin HEAD && git rm -q noise && git commit -qm quiet',
  ])
  await untilPushed(id)
  git(clone, 'checkout', '-q', '-b', 'late')
  writeFileSync(path.join(clone, 'late.txt'), 'late\n')
  git(clone, 'add', '-A')
  git(clone, 'commit', '-q', '-m', 'came late')
  git(clone, 'push', '-q', 'origin', 'late')
  const { branch } = await completed(id)
  const log = await service.log(id)
  const text = log.filter(({ tool_name }) => tool_name === 'shell').map(({ tool_output }) => tool_output?.['output'])
  assert.match(String(text[1]), /came late/)
  assert.match(String(text[2]), /this run may only push to/)
  assert.equal(log.filter(({ tool_name }) => tool_name === 'git_push').length, 3)
  assert.deepEqual(commitsOf(clone, branch), ['quiet', 'noise', 'amended', 'Begin'])
  await stopProcess(child)
})

test('what an agent has pushed is not lost with its machine, and another one goes on from there', async () => {
  const first = await service.startElsewhere()
  const { repoId, clone } = await makePlace()
  const id = await play(repoId, [
    `if ! git log --format=%s | grep -q pushed; then
       echo 1 > a.txt && git commit -qam pushed && git push -q origin HEAD; while :; do sleep 0.1; done
     fi; git log -1 --format=%s; cat a.txt`,
    'echo 2 >> a.txt',
  ])
  await untilPushed(id)
  first.child.kill('SIGKILL')
  await removeTree(first.dataDir)
  const second = await service.startElsewhere()
  const { branch } = await completed(id)
  const shells = (await service.log(id)).filter(({ tool_name }) => tool_name === 'shell')
  assert.match(String(shells.at(-2)?.tool_output?.['output']), /^pushed\n1/)
  assert.equal(commitsOf(clone, branch).slice(1).join(), 'pushed,Begin')
  assert.equal(git(clone, 'show', `origin/${branch}:a.txt`), '1\n2\n')
  await stopProcess(second.child)
})

test('a worker that is killed while its agent pushes again and again loses nothing and leaves no lock', async () => {
  const dataDir = makeFolder()
  const env = { RUNWRIGHT_DATA_DIR: dataDir, RUNWRIGHT_GIT_URL: service.url }
  let child = await service.startWorker(env)
  const { repoId, clone } = await makePlace()
  const id = await play(repoId, [
    `n=$(git log --format=%s | grep -c pushed || true)
     while [ $n -lt 12 ]; do n=$((n + 1)); git commit -q --allow-empty -m "pushed $n"; git push -q -f origin HEAD; done; true`,
  ])
  for (const times of [2, 5, 8]) {
    await untilPushed(id, times)
    child.kill('SIGKILL')
    child = await service.startWorker(env)
  }
  const { branch } = await completed(id)
  const commits = commitsOf(clone, branch)
  assert.deepEqual(commits.toReversed(), ['Begin', ...Array.from({ length: 12 }, (_, n) => `pushed ${n + 1}`)])
  const { rows } = await db.query(`select count(*)::int as n from effects where run_id = $1 and state = 'done'`, [id])
  const logged = (await service.log(id)).filter(({ tool_name }) => tool_name === 'git_push')
  assert.ok(logged.length >= 8 && rows[0].n >= logged.length)
  await stopProcess(child)
})
