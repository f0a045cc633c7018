import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startModelServer } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { fixed, priceList, tooQuick, wish } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

type Shown = { number: number; draft: boolean; head: { sha: string } }
const pulls = '/repos/acme/price-list/pulls'

test('a pull request is a draft until its checks pass, and stays one where a person makes it one', async () => {
  await using model = await startModelServer([...tooQuick, ...fixed])
  const db = await testDb()
  const { github, repository, ada, repo, service, at, untilRun } = await startOnGitHub({
    databaseUrl: db.url,
    files: priceList,
    env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
    defer: after,
  })
  const settings = { pull_settings: { draft_until_green: true } }
  assert.partialDeepStrictEqual(await service.call('PATCH', `${at}/repos/${repo.id}`, settings), settings)
  // The answer to what makes it ready is lost once.
  github.fail({ kind: 'hang_up' }, { on: /^POST .*\/graphql$/ })
  await ada.ask('POST', '/repos/acme/price-list/issues', { title: 'Odd prices', body: `@runwright ${wish}` })

  const { id: runId } = await untilRun()
  await service.untilRun(runId, (run) => run.github_pull_requests.length > 0)
  const [opened] = await ada.ask<Shown[]>('GET', pulls)
  assert.ok(opened)
  const { number } = opened
  const there = () => ada.ask<Shown>('GET', `${pulls}/${number}`)
  const states: string[] = []
  const conclusionAt = (sha: string) =>
    repository.checkRuns.find((each) => each.sha === sha && each.name === 'test')?.conclusion
  await until(async () => {
    const { draft, head } = await there()
    const state = `${draft ? 'draft' : 'ready'} ${conclusionAt(head.sha) ?? 'running'}`
    if (states.at(-1) !== state) states.push(state)
    return !draft
  }, 'it is ready for review')
  assert.ok(states.includes('draft failure'), states.join())
  assert.equal(states.at(-1), 'ready success')

  const [{ id: pullId } = { id: 0 }] = (await service.call<{ items: { id: number }[] }>('GET', `${at}/prs`)).items
  await service.call('PATCH', `${at}/prs/${pullId}`, { state: 'draft' })
  await ada.ask('POST', `/repos/acme/price-list/issues/${number}/comments`, { body: 'Not yet.' })
  await github.settled()
  assert.equal((await there()).draft, true)
})
