import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { git, makeRepository, receipts } from '#test/example-repository.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
const at = `/v1/organizations/${service.organizationId}`

test('without any model, a run fixes a failing test and opens a pull request', async () => {
  const repo = await service.call<{ id: number; git_url: string; default_branch: string }>('POST', `${at}/repos`, {
    name: 'receipts',
    import_from: makeRepository({ folder: receipts }),
  })
  const made = await service.call<{ id: number; status: string; web_url: string }>('POST', `${at}/agent/run`, {
    prompt: 'Make the failing test pass',
    repo_id: repo.id,
  })
  assert.equal(made.status, 'queued')
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())

  const log = await service.log(run.id)
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, index) => index + 1),
  )
  assert.equal(log[0]?.message_type, 'USER_MESSAGE')
  assert.equal(log.at(-1)?.message_type, 'FINAL_ANSWER')
  assert.equal(log.at(-2)?.message_type, 'INITIAL_PR_GENERATION')
  assert.ok(log.some((entry) => entry.message_type === 'PLAN_EVALUATION' && /no model/i.test(entry.thought ?? '')))
  for (const entry of log.filter((item) => item.message_type === 'ACTION')) {
    assert.ok(entry.tool_name && entry.tool_input && entry.tool_output, JSON.stringify(entry))
  }
  assert.equal(run.result, log.at(-1)?.observation)

  const [pull] = run.github_pull_requests
  assert.equal(pull?.head_branch_name, run.branch)
  assert.match(run.branch ?? '', new RegExp(`^agent/${run.id}-make-the-failing-test-pass$`))

  const diff = await (await service.ask('GET', `${at}/agent/run/${run.id}/diff`)).text()
  assert.match(diff, /^diff --git a\/src\//)
  assert.doesNotMatch(diff, /test\//)

  // What a person does next: fetch the branch with their token, and run the tests.
  const clone = path.join(mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-')), 'receipts')
  const url = new URL(repo.git_url)
  url.username = 'ada'
  url.password = service.token
  git('/', 'clone', '-q', '-b', run.branch ?? '', url.href, clone)
  execFileSync(process.execPath, ['--test'], { cwd: clone, stdio: 'pipe', env: { PATH: process.env.PATH } })
  const message = git(clone, 'log', '-1', '--format=%an%n%B')
  assert.match(message, /^Runwright\n/)
  assert.match(message, new RegExp(`Agent-Run: ${made.web_url}`))
})

test('a run without a repository opens no pull request, and its diff can be read', async () => {
  const made = await service.play([{ write: { path: 'note.md', content: 'hello\n' } }, { answer: 'Written.' }], {
    prompt: 'Write a note',
  })
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  assert.deepEqual(run.github_pull_requests, [])
  assert.deepEqual(
    (await service.log(run.id)).map((entry) => entry.message_type),
    ['USER_MESSAGE', 'ACTION', 'FINAL_ANSWER'],
  )
  const diff = await (await service.ask('GET', `${at}/agent/run/${run.id}/diff`)).text()
  assert.match(diff, /\+hello/)
})

test('a follow-up goes on, on the same branch, with a second commit', async () => {
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'notes',
    import_from: makeRepository({ 'a.txt': 'a\n' }),
  })
  const step = (name: string) => [{ write: { path: name, content: name } }, { answer: `${name} is there.` }]
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'Add b',
    repo_id: repo.id,
    agent_type: 'scripted',
    metadata: { scripts: [step('b.txt'), step('c.txt')], script: step('b.txt') },
  })
  const first = await service.untilEnded(made.id)
  assert.equal(first.status, 'completed', JSON.stringify(first.error) + service.said())
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: made.id, prompt: 'Add c' })
  const second = await service.untilRun(made.id, (run) => run['turn'] === 2 && run.status === 'completed')
  assert.equal(second.result, 'c.txt is there.')
  assert.equal(second.branch, first.branch)
  assert.equal(second.github_pull_requests.length, 1)
  const diff = await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text()
  assert.match(diff, /b\.txt[\s\S]*c\.txt/)
  const types = (await service.log(made.id)).map((entry) => entry.message_type)
  assert.deepEqual(types, [
    'USER_MESSAGE',
    'ACTION',
    'INITIAL_PR_GENERATION',
    'FINAL_ANSWER',
    'USER_MESSAGE',
    'ACTION',
    'FINAL_ANSWER',
  ])
})

test('a stop stops, within a step', async () => {
  const made = await service.play([{ shell: 'echo begun' }, { shell: 'sleep 600' }], { prompt: 'Sleep' })
  await service.untilRun(made.id, (run) => run['status_detail'] === 'working')
  await service.untilLogged(made.id, 2)
  await service.call('POST', `${at}/agent/run/${made.id}/cancel`)
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'cancelled')
  assert.equal((await service.log(made.id)).length, 2)
})
