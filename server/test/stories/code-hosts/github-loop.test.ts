import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startModelServer } from '#test/model-server.ts'
import { seededRandom } from '#test/chaos/random.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { fixed, priceList, tooQuick, wish } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

type Pull = {
  number: number
  state: string
  merged: boolean
  user: { login: string }
  head: { ref: string; sha: string }
}

test('the same at GitHub, though it limits us, refuses us, and tells all of it often and in any order', async () => {
  await using model = await startModelServer([...tooQuick, ...fixed])
  const db = await testDb()
  const { github, app, repository, ada, service, at, untilRun, botToken } = await startOnGitHub({
    databaseUrl: db.url,
    files: priceList,
    env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
    defer: after,
  })
  github.deliveries.disturb({ random: seededRandom(21), timesMax: 5, atOnce: 3 })
  github.fail({ kind: 'secondary_limit', retryAfterSeconds: 1 }, { on: /^GET .*\/permission$/ })
  github.fail({ kind: 'secondary_limit', retryAfterSeconds: 1 }, { on: /^POST .*\/pulls$/ })
  // As if the answer of the first try had been lost: GitHub says 422, since there is one already.
  const openFirst = async () => {
    const [branch = ''] = (await repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/agent')).split(
      '\n',
    )
    const response = await fetch(`${github.apiUrl}/repos/acme/price-list/pulls`, {
      method: 'POST',
      headers: { authorization: `token ${botToken()}`, 'user-agent': 'test' },
      body: JSON.stringify({ title: 'Odd prices', head: branch, base: 'main' }),
    })
    assert.equal(response.status, 201)
  }
  github.fail({ kind: 'meanwhile', happens: openFirst }, { on: /^POST .*\/pulls$/ })

  const { number } = await ada.ask<{ number: number }>('POST', '/repos/acme/price-list/issues', {
    title: 'Odd prices',
    body: wish,
  })
  const output = { body: '@runwright please see to this.' }
  await ada.ask('POST', `/repos/acme/price-list/issues/${number}/comments`, output)

  const { id: runId } = await untilRun()
  const opened = await service.untilRun(runId, (run) => run.github_pull_requests.length > 0)
  assert.equal(opened['source_type'], 'GITHUB')
  const [pull] = await ada.ask<Pull[]>('GET', '/repos/acme/price-list/pulls')
  assert.equal(pull?.user.login, app.bot.login)
  assert.equal(opened.github_pull_requests[0]?.number, pull?.number)
  await service.untilRun(runId, (run) => run['turn'] === 2 && run.status === 'completed')
  const [{ id: pullId } = { id: 0 }] = (await service.call<{ items: { id: number }[] }>('GET', `${at}/prs`)).items
  const agentOf = async () => (await service.call<{ agent: { phase: string } }>('GET', `${at}/prs/${pullId}`)).agent
  await until(async () => (await agentOf()).phase === 'green', 'the agent is done')

  const refused = github.requests.filter(
    ({ method, path, status }) => method === 'POST' && path.endsWith('/pulls') && status === 422,
  )
  assert.equal(refused.length, 1, 'GitHub has refused a second pull request')
  const log = await service.log(runId)
  assert.deepEqual(
    log.map((entry) => entry.message_type).filter((type) => type !== 'ACTION'),
    [
      'USER_GITHUB_ISSUE_COMMENT',
      'INITIAL_PR_GENERATION',
      'FINAL_ANSWER',
      'DETECT_PR_ERRORS',
      'FIX_PR_ERRORS',
      'FINAL_ANSWER',
    ],
  )
  assert.partialDeepStrictEqual(log[0]?.observation, { body: output.body, author: 'ada' })
  assert.match(JSON.stringify(log.find((entry) => entry.message_type === 'DETECT_PR_ERRORS')), /Reduce of empty array/)
  // That of the first turn, or of the second where it had begun already.
  const answers = /no number is left out|begins at nothing again/
  const own = async () => repository.comments.filter(({ author }) => author === app.bot)
  await until(async () => (await own()).some(({ body }) => answers.test(body)), 'it is told at the issue')
  assert.equal((await own()).length, 1, 'once')

  const now = await ada.ask<Pull>('GET', `/repos/acme/price-list/pulls/${pull?.number}`)
  await ada.ask('PUT', `/repos/acme/price-list/pulls/${pull?.number}/merge`, { sha: now.head.sha })
  assert.match(await repository.git('show', 'main:total.js'), /filter\(Number\).*price, 0\)/)
  await until(async () => (await agentOf()).phase === 'merged', 'the agent knows of the merge')
  await github.settled()
  assert.equal(model.requests.length, tooQuick.length + fixed.length, 'nothing else was asked of the model')
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from runs')
  assert.equal(rows[0]?.count, 1, 'and nothing else was started')

  const seen = JSON.stringify([await service.log(runId), model.requests.map(({ text }) => text)]) + service.said()
  for (const secret of github.secrets()) assert.ok(!seen.includes(secret), 'no credential of GitHub is seen by anybody')
})
