import assert from 'node:assert/strict'
import type { JsonObject } from '#base/json.ts'
import { after, test } from 'node:test'
import { messageTypes } from '#base/entry.ts'
import { startModelServer, type ModelServerRequest, type ScriptedReply } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { fixed, priceList, tooQuick, wish } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

const plan: ScriptedReply = {
  calls: [{ name: 'plan', input: { steps: [{ text: 'Leave out what is no number', status: 'in_progress' }] } }],
}
const answer = (summary: string, output?: JsonObject): ScriptedReply => ({
  calls: [{ name: 'finish', input: { summary, ...(output && { output }) } }],
})
const review = {
  verdict: 'comment',
  summary: 'It does what was asked.',
  comments: [{ path: 'total.js', line: 1, body: 'A name for the filter would help.' }],
}

/** What the model says depends on what it is asked for. */
const sayings: [of: RegExp, replies: ScriptedReply[]][] = [
  [/"request_changes"/, [answer('Reviewed.', review)]],
  [/"concerns"/, [answer('Looked at.', { verdict: 'good', summary: 'A word to readers.' })]],
  [/Checks of your pull request/, [...fixed]],
  [/Say nothing at all/, Array.from({ length: 10 }, () => ({ status: 401, message: 'no such key' }))],
  [
    /Write a note/,
    [
      { calls: [{ name: 'write', input: { path: 'note.md', content: 'Noted.\n' } }] },
      { calls: [{ name: 'shell', input: { command: 'cat note.md' } }] },
      answer('Noted.'),
    ],
  ],
  [/please see to this/, [plan, ...tooQuick]],
  [/./, Array.from({ length: 5 }, () => answer('The tests were not run there.'))],
]
function say({ text }: ModelServerRequest): ScriptedReply {
  const [, replies = []] = sayings.find(([of]) => of.test(text)) ?? []
  return replies.shift() ?? { status: 400, message: 'It has said all.' }
}

test('all that a log can hold comes of real work', async () => {
  await using model = await startModelServer(say)
  const db = await testDb()
  const { github, repository, repo, ada, service, at, runs, untilRun } = await startOnGitHub({
    databaseUrl: db.url,
    files: priceList,
    env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
    defer: after,
  })
  const issue = { title: 'Odd prices', body: wish }
  const { number } = await ada.ask<{ number: number }>('POST', '/repos/acme/price-list/issues', issue)
  await ada.ask('POST', `/repos/acme/price-list/issues/${number}/comments`, { body: '@runwright please see to this.' })
  const { id: mender } = await untilRun()
  await service.untilRun(mender, (run) => run['turn'] === 2 && run.status === 'completed')

  const [pull] = (await service.call<{ items: { id: number }[] }>('GET', `${at}/prs`)).items
  const asked = await service.call<{ id: number }>('POST', `${at}/prs/${pull?.id}/reviews/request`, {})
  assert.equal((await service.untilEnded(asked.id)).status, 'completed', service.said())

  await service.call('PATCH', `${at}/repos/${repo.id}`, { watched_branches: ['main'] })
  await ada.push(repository, { branch: 'main', files: { 'README.md': '# Prices\n' } })
  const isAwaited = async () =>
    (await db.query(`update jobs set due_at = now() where kind = 'review' and ref like '% branch:main'`)).rowCount
  await until(async () => (await isAwaited()) === 1, 'the push is to be looked at; the time to come to rest is over')
  await until(async () => (await runs()).length === 3, 'a run looks at it')

  const work = (prompt: string) => service.call<{ id: number }>('POST', `${at}/agent/run`, { prompt, repo_id: repo.id })
  const failed = await work('Say nothing at all')
  assert.equal((await service.untilEnded(failed.id)).status, 'failed')
  github.fail(
    { kind: 'status', status: 422, message: 'Validation Failed: head is not allowed' },
    { on: /^POST .*\/pulls$/ },
  )
  const refused = await work('Write a note')
  await service.untilEnded(refused.id)

  const sandboxes = await service.call<{ items: { id: number; agent_run_id: number | null }[] }>(
    'GET',
    `${at}/sandboxes`,
  )
  const sandbox = sandboxes.items.find(({ agent_run_id }) => agent_run_id === mender)
  const analysis = await service.call<{ agent_run_id: number }>('POST', `${at}/sandbox/${sandbox?.id}/analyze-logs`)
  await service.untilEnded(analysis.agent_run_id)

  for (const { id } of await runs()) await service.untilEnded(id)
  const logs = await Promise.all((await runs()).map(({ id }) => service.log(id)))
  const seen = new Set(logs.flat().map(({ message_type }) => message_type))
  const others = /^USER_(GITLAB|GITEA|FORGEJO|BITBUCKET|LOCAL)_/
  assert.deepEqual([...seen].sort(), messageTypes.filter((type) => !others.test(type)).sort())
})
