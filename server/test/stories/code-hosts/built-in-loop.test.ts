import assert from 'node:assert/strict'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { makeRepository, git } from '#test/example-repository.ts'
import { startModelServer } from '#test/model-server.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { testFolder } from '#test/test-git.ts'
import { until } from '#test/test-sandboxes.ts'
import { fixed, priceList, tooQuick, wish } from './price-list.ts'

type Check = { name: string; conclusion: string | null }
type Comment = { body: string }

test('what somebody asks for at an issue is made, checked, fixed and merged', async () => {
  await using model = await startModelServer([...tooQuick, ...fixed])
  const db = await testDb()
  const service = await startService({
    databaseUrl: db.url,
    env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
  })
  const at = `/v1/organizations/${service.organizationId}`
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, {
    name: 'price-list',
    import_from: makeRepository(priceList),
  })
  await service.call('PATCH', `${at}/repos/${repo.id}`, { check_commands: [{ name: 'test', command: 'node --test' }] })
  await service.call('PUT', `${at}/repos/check-suite-settings?repo_id=${repo.id}`, { settle_seconds: 0 })

  const issue = await service.call<{ number: number }>('POST', `${at}/repos/${repo.id}/issues`, {
    title: 'Odd prices',
    body: wish,
  })
  const comments = `${at}/repos/${repo.id}/issues/${issue.number}/comments`
  await service.call('POST', comments, { body: '@runwright please see to this.' })

  const runs = async () => (await service.call<{ items: RunAnswer[] }>('GET', `${at}/agent/runs`)).items
  await until(async () => (await runs()).length > 0, 'the comment has started a run')
  const [{ id: runId } = { id: 0 }] = await runs()
  const opened = await service.untilRun(runId, (run) => run.github_pull_requests.length > 0)
  assert.equal(opened['source_type'], 'LOCAL')
  const {
    items: [pull],
  } = await service.call<{ items: { id: number; head_commit: string }[] }>('GET', `${at}/prs`)
  assert.ok(pull)

  const checks = async () => (await service.call<{ items: Check[] }>('GET', `${at}/prs/${pull.id}/checks`)).items
  const conclusionOf = async (name: string) => (await checks()).find((check) => check.name === name)?.conclusion
  await service.untilRun(runId, (run) => run['turn'] === 2 && run.status === 'completed')
  await until(async () => (await conclusionOf('test')) === 'success', 'the check passes')
  const agentOf = async () => (await service.call<{ agent: { phase: string } }>('GET', `${at}/prs/${pull.id}`)).agent
  await until(async () => (await agentOf()).phase === 'green', 'the agent is done')

  const log = await service.log(runId)
  assert.deepEqual(
    log.map((entry) => entry.message_type).filter((type) => type !== 'ACTION'),
    [
      'USER_LOCAL_ISSUE_COMMENT',
      'INITIAL_PR_GENERATION',
      'FINAL_ANSWER',
      'DETECT_PR_ERRORS',
      'FIX_PR_ERRORS',
      'FINAL_ANSWER',
    ],
  )
  const asked = log[0]?.observation as { body: string; author: string; url: string }
  assert.equal(asked.body, '@runwright please see to this.')
  const detected = log.find((entry) => entry.message_type === 'DETECT_PR_ERRORS')
  assert.partialDeepStrictEqual(detected?.observation, { head_sha: pull.head_commit, checks: [{ name: 'test' }] })
  assert.match(JSON.stringify(detected?.observation), /Reduce of empty array/)
  assert.match(model.requests[tooQuick.length]?.text ?? '', /Reduce of empty array/)

  const report = async () => (await service.call<{ items: Comment[] }>('GET', comments)).items.map(({ body }) => body)
  // That of the first turn, or of the second where it had begun already.
  const answers = /no number is left out|begins at nothing again/
  await until(async () => answers.test((await report()).join()), 'the answer is told at the issue')
  assert.equal((await report()).length, 2, 'once')

  const now = await service.call<{ head_commit: string }>('GET', `${at}/prs/${pull.id}`)
  await service.call('POST', `${at}/prs/${pull.id}/merge`, { method: 'squash', expected_head: now.head_commit })
  const clone = path.join(await testFolder(), 'clone')
  const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token })
  git('/', 'clone', '-q', url.href, clone)
  assert.match(git(clone, 'show', 'HEAD:total.js'), /filter\(Number\).*price, 0\)/)
  await until(async () => (await agentOf()).phase === 'merged', 'the agent knows of the merge')
  const { state } = await service.call<{ state: string }>('GET', `${at}/repos/${repo.id}/issues/${issue.number}`)
  assert.equal(state, 'closed', 'the merge has closed the issue')
  assert.equal(model.requests.length, tooQuick.length + fixed.length, 'nothing else was asked of the model')
})
